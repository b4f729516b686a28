import { Identifier, Instant } from "@countersign/core"
import { Effect } from "effect"
import type { PgDatabase } from "./PgDatabase.ts"
import { int, text } from "./parameters.ts"

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

/** Makes the partitions for `now` and some time ahead, where they are missing. */
export const add = (database: PgDatabase["Service"], now: Instant.Instant) =>
  Effect.forEach(
    [verification, event, attempt],
    (of) =>
      Effect.forEach(
        Array.from({ length: ahead + 1 }, (_, index) => (Math.floor(now / of.span) + index) * of.span),
        (start) =>
          database.query("select countersign_add_partition($1, $2, $3, $4, $5)", [
            text(of.table),
            text(nameOf(of, start)),
            text(of.prefix + Identifier.timeText(start)),
            text(of.prefix + Identifier.timeText(start + of.span)),
            int(of.fill)
          ]),
        { discard: true }
      ),
    { discard: true }
  )

const endsBefore = `
  select c.relname::text
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = to_regclass($1::text)
    and substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \\('([^']*)'\\)$$) collate "C" <= $2::text collate "C"
  order by 1`

const dropExpired = Effect.fnUntraced(function* (
  database: PgDatabase["Service"],
  of: Partitioned,
  keptSince: Instant.Instant
) {
  const rows = yield* database.query(endsBefore, [text(of.table), text(of.prefix + Identifier.timeText(keptSince))])
  const names = rows.map(([name]) => String(name)).filter((name) => /^[a-z_]+_[0-9]{8}$/.test(name))
  yield* Effect.forEach(names, (name) => database.query(`drop table if exists ${name}`, []), { discard: true })
  return names
})

/** Drops the partitions that hold nothing younger than `keptSince`; says which. */
export const drop = Effect.fnUntraced(function* (
  database: PgDatabase["Service"],
  keptSince: { readonly verifications: Instant.Instant; readonly events: Instant.Instant }
) {
  const verifications = yield* dropExpired(database, verification, keptSince.verifications)
  const events = yield* dropExpired(database, event, keptSince.events)
  // What was delivered is of interest as long as the event is.
  const attempts = yield* dropExpired(database, attempt, keptSince.events)
  return [...verifications, ...events, ...attempts]
})
