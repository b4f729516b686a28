import { Identifier, Instant } from "@countersign/core"
import { Effect } from "effect"
import type { PgDatabase } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { int, text, texts } from "./parameters.ts"

interface Partitioned {
  readonly table: "verification" | "event" | "webhook_attempt"
  readonly prefix: string
  readonly span: Instant.Millis
  readonly fill: number
}

const verification: Partitioned = { table: "verification", prefix: "ver_", span: Instant.hours(24 * 30), fill: 80 }
const event: Partitioned = { table: "event", prefix: "evt_", span: Instant.hours(24 * 7), fill: 100 }

const attempt: Partitioned = { table: "webhook_attempt", prefix: "dlv_", span: Instant.hours(24 * 7), fill: 100 }

const ahead = 2

const nameOf = (of: Partitioned, start: Instant.Instant) =>
  `${of.table}_${Instant.toIso(start).slice(0, 10).replaceAll("-", "")}`

/**
 * A statement that queues for a lock blocks every later statement, so it waits no longer than this and retries later.
 */
const lockTimeout = "100ms"
const lockNotAvailable = "55P03"
/** Another process created the same partition concurrently. */
const madeByAnother = "42P07"
const betweenLooks = "250 millis"

/** The partitions created or dropped, and those postponed because their tables are in use. */
export interface Outcome {
  readonly done: ReadonlyArray<string>
  readonly putOff: ReadonlyArray<string>
}

/** Transactions that hold any lock on a partitioned table, its default partition or one of its partitions. */
const users = `
select distinct l.virtualtransaction from pg_locks l
where l.granted and l.pid <> pg_backend_pid() and l.database = (select oid from pg_database where datname = current_database())
  and l.relation in (to_regclass($1), to_regclass($1 || '_default'), to_regclass($2))`

/**
 * Whether a transaction uses these tables now and a moment later, as a backup does for hours. Asking for their lock
 * would make every login queue behind it.
 */
const inLongUse = Effect.fnUntraced(function* (database: PgDatabase["Service"], table: string, partition: string) {
  const look = database.query(users, [text(table), text(partition)])
  const before = new Set((yield* look).map(([transaction]) => transaction))
  if (before.size === 0) return false
  yield* Effect.sleep(betweenLooks)
  return (yield* look).some(([transaction]) => before.has(transaction))
})

/** Acts on each partition, unless a long transaction uses it. */
const each = (
  database: PgDatabase["Service"],
  table: string,
  names: ReadonlyArray<string>,
  change: (name: string) => Effect.Effect<unknown, PgFailure>
): Effect.Effect<Outcome, PgFailure> =>
  Effect.gen(function* () {
    const [done, putOff]: [Array<string>, Array<string>] = [[], []]
    for (const name of names) {
      if (yield* inLongUse(database, table, name)) {
        putOff.push(name)
        continue
      }
      const failed = yield* Effect.match(change(name), { onFailure: (failure) => failure, onSuccess: () => null })
      if (failed === null) done.push(name)
      else if (failed.sqlState === lockNotAvailable) putOff.push(name)
      else if (failed.sqlState !== madeByAnother) return yield* failed
    }
    return { done, putOff }
  })

const all = (outcomes: ReadonlyArray<Outcome>): Outcome => ({
  done: outcomes.flatMap(({ done }) => done),
  putOff: outcomes.flatMap(({ putOff }) => putOff)
})

const missing = "select name from unnest($1::text[]) as t(name) where to_regclass(name) is null"
const make = `select set_config('lock_timeout', '${lockTimeout}', true), countersign_add_partition($1, $2, $3, $4, $5)`

/** Creates missing partitions for `now` and some time ahead. Rows without a partition go to the default partition. */
export const add = Effect.fnUntraced(function* (database: PgDatabase["Service"], now: Instant.Instant) {
  const outcomes: Array<Outcome> = []
  for (const parent of [verification, event, attempt]) {
    const starts = Array.from(
      { length: ahead + 1 },
      (_, index) => (Math.floor(now / parent.span) + index) * parent.span
    )
    const startOf = new Map(starts.map((start) => [nameOf(parent, start), start]))
    const names = (yield* database.query(missing, [texts([...startOf.keys()])])).map(([name]) => String(name))
    outcomes.push(
      yield* each(database, parent.table, names, (name) => {
        const start = startOf.get(name) ?? now
        return database.query(make, [
          text(parent.table),
          text(name),
          text(parent.prefix + Identifier.timeText(start)),
          text(parent.prefix + Identifier.timeText(start + parent.span)),
          int(parent.fill)
        ])
      })
    )
  }
  return all(outcomes)
})

const endsBefore = `
  select c.relname::text
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = to_regclass($1::text)
    and substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \\('([^']*)'\\)$$) collate "C" <= $2::text collate "C"
  order by 1`

const dropOne = (name: string) =>
  `do $$ begin set local lock_timeout = '${lockTimeout}'; drop table if exists ${name}; end $$`

const dropExpired = Effect.fnUntraced(function* (
  database: PgDatabase["Service"],
  of: Partitioned,
  keptSince: Instant.Instant
) {
  const rows = yield* database.query(endsBefore, [text(of.table), text(of.prefix + Identifier.timeText(keptSince))])
  const names = rows.map(([name]) => String(name)).filter((name) => /^[a-z_]+_[0-9]{8}$/.test(name))
  return yield* each(database, of.table, names, (name) => database.query(dropOne(name), []))
})

/**
 * Drops the partitions with no row younger than `keptSince`. They cannot be detached concurrently first: Postgres
 * refuses that for a table with a default partition.
 */
export const drop = Effect.fnUntraced(function* (
  database: PgDatabase["Service"],
  keptSince: { readonly verifications: Instant.Instant; readonly events: Instant.Instant }
) {
  return all([
    yield* dropExpired(database, verification, keptSince.verifications),
    yield* dropExpired(database, event, keptSince.events),
    // The delivery log is kept as long as the events.
    yield* dropExpired(database, attempt, keptSince.events)
  ])
})
