import type { Instant } from "@countersign/core"
import type { Timekeeper } from "@countersign/core/storage"
import { Duration, Effect, Random } from "effect"
import * as Partitions from "./Partitions.ts"
import { PgDatabase } from "./PgDatabase.ts"
import { instant, int } from "./parameters.ts"

export interface Retention {
  /** The configured retention of verifications. Their partitions are dropped afterwards; by default after 401 days. */
  readonly verifications?: Duration.Input
  /** The same for events. */
  readonly events?: Duration.Input
}

/** Longer than any allowed retention, so rows are deleted before their partition. */
const longest = Duration.days(401)
/** How long buried jobs are kept for inspection. */
const deadJobsKept = Duration.days(30)

const deletedAtOnce = 1_000
const first = "30 seconds"
const every = Duration.toMillis("1 hour")
const soon = Duration.toMillis("1 minute")

const purgeOrders = `
delete from order_reference where ctid = any(array(
  select ctid from order_reference where updated_at < $1 limit $2 for update skip locked
)) returning 1`

/** Trust ends a year after the last code at the latest. */
const devicesKept = Duration.days(366)

const purgeDevices = `
delete from device where ctid = any(array(
  select ctid from device where trusted_at < $1 limit $2 for update skip locked
)) returning 1`

/** The last sign-in location is kept for a month. */
const sessionsKept = Duration.days(30)

const purgeSessions = `
delete from session where ctid = any(array(
  select ctid from session where last_used_at < $1 limit $2 for update skip locked
)) returning 1`

const purgeLinks = `
delete from sign_in_link where ctid = any(array(
  select ctid from sign_in_link where expires_at < $1 limit $2 for update skip locked
)) returning 1`

/** History is kept for a year. */
const auditKept = Duration.days(366)

export const purgeAudit = `
delete from audit where ctid = any(array(
  select ctid from audit where at < $1 order by at limit $2 for update skip locked
)) returning 1`

const refusalsKept = Duration.days(7)
const purgeRefusals = `
delete from refusal where ctid = any(array(
  select ctid from refusal where at < $1 limit $2 for update skip locked
)) returning 1`

const purgeDeadJobs = `
delete from job where key = any(array(select key from job where dead_at < $1 limit $2 for update skip locked)) returning 1`

/**
 * A verification lives for a day at most. Processes cache content for seconds, so no verification starts with content
 * retired longer ago. Content of an unfinished campaign is kept.
 */
const wordsKept = Duration.days(2)

export const purgeContents = `
delete from template_content where ctid = any(array(
  select ctid from template_content t where retired_at > '-infinity' and retired_at < $1 and not exists (
    select 1 from campaign where environment = t.environment and text_id = t.id and text_version = t.version
      and finished_at is null and not counted offset 0
  ) limit $2 for update skip locked
)) returning 1`

export const purgeTemplates = `
delete from template where ctid = any(array(
  select ctid from template where removed_at > '-infinity' and removed_at < $1 limit $2 for update skip locked
)) returning 1`

/** Queries cover at most 35 days of quarter hours. Older data is in the sums of days. */
const quartersKept = Duration.days(37)

const purgeQuarters = `
delete from stat_bucket where ctid = any(array(
  select ctid from stat_bucket where span = 'QUARTER' and at < $1 limit $2 for update skip locked
)) returning 1`

/**
 * A refund updates the spending of the day of its send. It arrives within days. A later refund recreates the row of
 * that day, which no query reads.
 */
const spendingKept = Duration.days(9)

export const purgeSpending = `
delete from spending where ctid = any(array(
  select ctid from spending where day < to_char($1::timestamptz, 'YYYY-MM-DD') limit $2 for update skip locked
)) returning 1`

const databaseNow = Effect.fnUntraced(function* (database: PgDatabase["Service"]) {
  const rows = yield* database.query("select (extract(epoch from clock_timestamp()) * 1000)::float8", [])
  return Math.floor(Number(rows[0]?.[0]))
})

const purge = Effect.fnUntraced(function* (
  database: PgDatabase["Service"],
  statement: string,
  keptSince: Instant.Instant
) {
  for (;;) {
    const rows = yield* database.query(statement, [instant(keptSince), int(deletedAtOnce)])
    if (rows.length < deletedAtOnce) return
    yield* Effect.yieldNow
  }
})

/** Creates the partitions of the coming weeks, so that storage keeps working when this fails for a while. */
export const prepare = Effect.gen(function* () {
  const database = yield* PgDatabase
  yield* Partitions.add(database, yield* databaseNow(database))
})

/**
 * Periodic maintenance: creates partitions ahead, drops expired partitions, and deletes other rows in small steps. Any
 * number of processes may run it concurrently; each step is done by one of them or skipped. A step that fails, or waits
 * because a long transaction reads its tables, does not stop the others. Ages are measured up to `aged`, core's time
 * for certain expiry. Nothing is deleted while it is null.
 */
export const once = Effect.fnUntraced(function* (retention: Retention, aged: Instant.Instant | null) {
  const database = yield* PgDatabase
  const added = yield* Effect.exit(Partitions.add(database, yield* databaseNow(database)))
  if (aged === null) return { dropped: [], putOff: (yield* added).putOff }
  const before = (kept: Duration.Input) => aged - Duration.toMillis(Duration.fromInputUnsafe(kept))
  const verifications = before(retention.verifications ?? longest)
  const events = before(retention.events ?? longest)
  const purged = yield* Effect.forEach(
    [
      purge(database, purgeOrders, verifications),
      purge(database, purgeDevices, before(devicesKept)),
      purge(database, purgeSessions, before(sessionsKept)),
      purge(database, purgeLinks, aged),
      purge(database, purgeAudit, before(auditKept)),
      purge(database, purgeDeadJobs, before(deadJobsKept)),
      purge(database, purgeRefusals, before(refusalsKept)),
      purge(database, purgeQuarters, before(quartersKept)),
      purge(database, purgeSpending, before(spendingKept)),
      purge(database, purgeContents, before(wordsKept)),
      purge(database, purgeTemplates, before(wordsKept))
    ],
    Effect.exit
  )
  const dropped = yield* Partitions.drop(database, { verifications, events })
  for (const exit of [added, ...purged]) yield* exit
  return { dropped: dropped.done, putOff: [...(yield* added).putOff, ...dropped.putOff] }
})

/** Runs maintenance periodically for the life of the scope. Retries failed or postponed steps soon. */
export const run = Effect.fnUntraced(function* (retention: Retention, time: Timekeeper.Timekeeper) {
  const database = yield* PgDatabase
  const aged = Effect.flatMap(databaseNow(database), (now) =>
    // When the time is unknown, nothing counts as old.
    time.aged(now).pipe(Effect.catch(() => Effect.succeed(null)))
  )
  return yield* Effect.flatMap(aged, (now) => once(retention, now)).pipe(
    Effect.tap(({ dropped, putOff }) =>
      Effect.gen(function* () {
        if (dropped.length > 0) yield* Effect.logInfo("Dropped expired partitions", dropped)
        if (putOff.length > 0)
          yield* Effect.logInfo("Maintenance of these tables is postponed, because a long query reads them", putOff)
      })
    ),
    Effect.map(({ putOff }) => (putOff.length > 0 ? soon : every)),
    Effect.catch((failure) =>
      Effect.as(failure.away ? Effect.void : Effect.logWarning("Database maintenance failed", failure.message), soon)
    ),
    Effect.flatMap((pause) => Effect.flatMap(Random.nextBetween(0.8, 1.2), (share) => Effect.sleep(pause * share))),
    Effect.forever,
    Effect.delay(first)
  )
})
