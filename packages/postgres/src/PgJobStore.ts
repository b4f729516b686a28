import { type Job, JobStore } from "@countersign/core"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { instant, int, ints, storable, text, texts } from "./parameters.ts"
import type { PgWakeUps } from "./PgWakeUps.ts"

/**
 * `run_at` of a claimed job is the end of its lease: the jobs of a process that died come back by themselves. A row is
 * found by index and changed by its place, whatever Postgres believes about the size of a table that is mostly empty.
 */
const claim = `
with due as (
  select ctid as place, run_at from job
  where dead_at is null and run_at <= $1 and kind = any($2)
  order by run_at limit $3 for update skip locked
), claimed as (
  update job j set run_at = $4, attempt = j.attempt + 1 from due where j.ctid = due.place
  returning j.key, j.environment, j.kind, j.payload, due.run_at, j.attempt
)
select key, environment, kind, payload, run_at, attempt from claimed order by run_at, key`

export const complete = `
delete from job j using (
  select l.n, t.place, t.attempt
  from unnest($1::text[], $2::int[]) with ordinality as l(key, attempt, n)
  cross join lateral (select ctid as place, attempt from job where key = l.key and attempt = l.attempt offset 0) t
) l
where j.ctid = l.place and j.attempt = l.attempt and (j.dead_at is null) is true
returning l.n::int`

export const retry = `
update job set run_at = $3, last_error = $4 where key = $1 and attempt = $2 and (dead_at is null) is true returning 1`

export const bury = `
update job set dead_at = $3, last_error = $4 where key = $1 and attempt = $2 and (dead_at is null) is true returning 1`

const nextRunAt = "select run_at from job where dead_at is null and kind = any($1) order by run_at limit 1"

const decode = ([key, environment, kind, payload, runAt, attempt]: Row, leasedUntil: number): Job.LeasedJob => ({
  key: key as string,
  environment: environment as string,
  kind: kind as Job.JobKind,
  payload: JSON.parse(payload as string) as Job.Job["payload"],
  runAt: (runAt as Date).getTime(),
  leasedUntil,
  attempt: attempt as number
})

/** A reason is for reading: better with a replacement in it than not kept. */
const readable = (reason: string) => reason.toWellFormed().replaceAll("\u0000", "\ufffd")

export const make = Effect.fnUntraced(function* (wakeUps: PgWakeUps) {
  const database = yield* PgDatabase

  const completes = yield* Batcher.make<Job.Lease, boolean>({
    operation: "JobStore.complete",
    keyOf: ({ key }) => key,
    sameKey: "wait",
    run: (leases) =>
      Effect.map(
        database.query(complete, [texts(leases.map(({ key }) => key)), ints(leases.map(({ attempt }) => attempt))]),
        (rows) => {
          const done = new Array<boolean>(leases.length).fill(false)
          for (const [n] of rows) done[(n as number) - 1] = true
          return done
        }
      )
  })

  const giveUp = (operation: string, statement: string) => (lease: Job.Lease, at: number, reason: string) =>
    database.query(statement, [text(lease.key), int(lease.attempt), instant(at), text(readable(reason))]).pipe(
      Effect.mapBoth({
        onFailure: (failure) => failure.toStoreError(operation),
        onSuccess: (rows) => rows.length > 0
      })
    )
  const retryJob = giveUp("JobStore.retry", retry)

  return JobStore.of({
    claim: ({ kinds, lease, limit, now }) =>
      database.query(claim, [instant(now), texts(kinds), int(limit), instant(now + lease)]).pipe(
        Effect.mapBoth({
          onFailure: (failure) => failure.toStoreError("JobStore.claim"),
          onSuccess: (rows) => rows.map((row) => decode(row, now + lease))
        })
      ),
    complete: ({ attempt, key }) => (storable(key) ? completes.submit({ key, attempt }) : Effect.succeed(false)),
    retry: (lease, runAt, reason) =>
      Effect.tap(retryJob(lease, runAt, reason), (given) => Effect.sync(() => given && wakeUps.wake())),
    bury: giveUp("JobStore.bury", bury),
    nextRunAt: (kinds) =>
      database.query(nextRunAt, [texts(kinds)]).pipe(
        Effect.mapBoth({
          onFailure: (failure) => failure.toStoreError("JobStore.nextRunAt"),
          onSuccess: (rows) => (rows[0] === undefined ? null : (rows[0][0] as Date).getTime())
        })
      ),
    wakeUps: wakeUps.stream
  })
})
