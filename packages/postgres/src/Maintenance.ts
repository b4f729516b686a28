import type { Instant } from "@countersign/core"
import { Duration, Effect, Schedule } from "effect"
import * as Partitions from "./Partitions.ts"
import { PgDatabase } from "./PgDatabase.ts"
import { instant, int } from "./parameters.ts"

export interface Retention {
  /** How long verifications are kept, at least. */
  readonly verifications?: Duration.Input
  /** How long events are kept, at least. */
  readonly events?: Duration.Input
}

const deletedAtOnce = 1_000
const first = "30 seconds"
const every = "1 hour"
const afterFailure = "1 minute"

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

const purgeDeadJobs = `
delete from job where key = any(array(select key from job where dead_at < $1 limit $2 for update skip locked)) returning 1`

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

/** Makes the partitions that are due. Enough for weeks, so that storage goes on when this fails for a while. */
export const prepare = Effect.gen(function* () {
  const database = yield* PgDatabase
  yield* Partitions.add(database, yield* databaseNow(database))
})

/**
 * What has to be done from time to time: partitions made ahead, expired ones dropped, what has no partitions deleted in
 * small steps. Any number of processes may do it at once; each step is either done by one of them or left out.
 */
export const once = Effect.fnUntraced(function* (retention: Retention) {
  const database = yield* PgDatabase
  const now = yield* databaseNow(database)
  const before = (kept: Duration.Input) => now - Duration.toMillis(Duration.fromInputUnsafe(kept))
  const verifications = before(retention.verifications ?? "90 days")
  const events = before(retention.events ?? "30 days")
  yield* Partitions.add(database, now)
  const dropped = yield* Partitions.drop(database, { verifications, events })
  yield* purge(database, purgeOrders, verifications)
  yield* purge(database, purgeDevices, before(devicesKept))
  yield* purge(database, purgeDeadJobs, events)
  return dropped
})

/** Does it now and then for as long as the scope lives. A failure is logged and tried again soon. */
export const run = (retention: Retention) =>
  once(retention).pipe(
    Effect.tap((dropped) =>
      dropped.length === 0 ? Effect.void : Effect.logInfo("Dropped expired partitions", dropped)
    ),
    Effect.tapError((failure) => Effect.logWarning("Storage maintenance failed", failure.message)),
    Effect.retry(Schedule.spaced(afterFailure).pipe(Schedule.jittered)),
    Effect.repeat(Schedule.spaced(every).pipe(Schedule.jittered)),
    Effect.delay(first)
  )
