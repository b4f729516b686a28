import { type Job, JobStore } from "@countersign/core"
import { Effect, type Scope } from "effect"
import * as Batcher from "./Batcher.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { instant, int, ints, json, storable, text, texts } from "./parameters.ts"
import type { PgWakeUps } from "./PgWakeUps.ts"
import * as Processes from "./Processes.ts"

/** A row is found by index and changed by its place. */
const claimed = `claimed as (
  update job j set run_at = $4, attempt = j.attempt + 1, owner = ${Processes.ofSession} from due where j.ctid = due.place
  returning j.key, j.environment, j.kind, j.payload, due.run_at, j.attempt, j.failures, j.gate, j.lane
)
select key, environment, kind, payload, run_at, attempt, failures, gate, lane from claimed order by run_at, key`

/**
 * `run_at` of a claimed job is the end of its lease: the jobs of a process that died come back by themselves. A row is
 * found by index and changed by its place, whatever Postgres believes about the size of a table that is mostly empty.
 */
export const claim = `
with due as (
  select ctid as place, run_at from job
  where dead_at is null and lane is null and run_at <= $1 and kind = any($2)
  order by run_at limit $3 for update skip locked
), ${claimed}`

/**
 * The lanes are found by skipping from one to the next in their index, however much waits in each. The jobs that are
 * due for longest are in the lanes whose first is, so no more lanes are looked into than jobs are asked for. What was
 * found may be somebody else's by the time it is locked, so it is checked again.
 */
export const claimLanes = `
with recursive first(lane, run_at) as (
  (
    select lane, run_at from job where dead_at is null and lane is not null and kind = any($2)
    order by lane, run_at limit 1
  )
  union all
  select next.lane, next.run_at from first f
  cross join lateral (
    select lane, run_at from job where dead_at is null and lane is not null and lane > f.lane and kind = any($2)
    order by lane, run_at limit 1
  ) next
), open as materialized (
  select lane, room from (
    select lane, run_at, coalesce(($5::jsonb ->> lane)::int, $6) as room from first where run_at <= $1
  ) f
  where room > 0 order by run_at limit $3
), candidate as materialized (
  select c.place, c.run_at from open o
  cross join lateral (
    select ctid as place, run_at from job
    where dead_at is null and lane = o.lane and run_at <= $1 and kind = any($2)
    order by run_at limit o.room
  ) c
), due as (
  select j.ctid as place, j.run_at from job j
  where j.ctid = any(array(select place from candidate order by run_at limit $3)) and j.dead_at is null and j.run_at <= $1
  for update skip locked
), ${claimed}`

export const complete = `
delete from job j using (
  select l.n, t.place, t.attempt
  from unnest($1::text[], $2::int[]) with ordinality as l(key, attempt, n)
  cross join lateral (select ctid as place, attempt from job where key = l.key and attempt = l.attempt offset 0) t
) l
where j.ctid = l.place and j.attempt = l.attempt and (j.dead_at is null) is true
returning l.n::int`

export const retry = `
update job set run_at = $3, owner = null, last_error = $4, payload = coalesce($5, payload),
  failures = $6
where key = $1 and attempt = $2 and (dead_at is null) is true returning 1`

export const hasten = `
update job set run_at = $3 where ctid = any(array(
  select ctid from job where dead_at is null and lane = $1 and run_at > $2
  order by run_at limit $4 for update skip locked
)) returning 1`

export const bury = `
update job set dead_at = $3, last_error = $4 where key = $1 and attempt = $2 and (dead_at is null) is true returning 1`

const hastenedAtOnce = 1_000

export const nextRunAt =
  "select run_at from job where dead_at is null and lane is null and kind = any($1) order by run_at limit 1"

const decode = (
  [key, environment, kind, payload, runAt, fence, failures, gate, lane]: Row,
  leasedUntil: number
): Job.LeasedJob => ({
  key: key as string,
  environment: environment as string,
  kind: kind as Job.JobKind,
  ...(gate === "" ? {} : { gate: gate as string }),
  ...(lane === null ? {} : { lane: lane as string }),
  payload: JSON.parse(payload as string) as Job.Job["payload"],
  runAt: (runAt as Date).getTime(),
  leasedUntil,
  fence: fence as number,
  failures: failures as number
})

/** A reason is for reading: better with a replacement in it than not kept. */
const readable = (reason: string) => reason.toWellFormed().replaceAll("\u0000", "\ufffd")

export const make: (wakeUps: PgWakeUps) => Effect.Effect<JobStore["Service"], never, PgDatabase | Scope.Scope> =
  Effect.fnUntraced(function* (wakeUps) {
    const database = yield* PgDatabase

    const completes = yield* Batcher.make<Job.Lease, boolean>({
      operation: "JobStore.complete",
      keyOf: ({ key }) => key,
      sameKey: "wait",
      run: (leases) =>
        Effect.map(
          database.query(complete, [texts(leases.map(({ key }) => key)), ints(leases.map(({ fence }) => fence))]),
          (rows) => {
            const done = new Array<boolean>(leases.length).fill(false)
            for (const [n] of rows) done[(n as number) - 1] = true
            return done
          }
        )
    })

    const giveUp = (operation: string, statement: string, parameters: ReadonlyArray<unknown>) =>
      database.query(statement, parameters).pipe(
        Effect.mapBoth({
          onFailure: (failure) => failure.toStoreError(operation),
          onSuccess: (rows) => rows.length > 0
        })
      )

    const take = (operation: string, leasedUntil: number, statement: string, parameters: ReadonlyArray<unknown>) =>
      database.query(statement, parameters).pipe(
        Effect.mapBoth({
          onFailure: (failure) => failure.toStoreError(operation),
          onSuccess: (rows) => rows.map((row) => decode(row, leasedUntil))
        })
      )

    return JobStore.of({
      claim: ({ kinds, lease, limit, now }) =>
        take("JobStore.claim", now + lease, claim, [instant(now), texts(kinds), int(limit), instant(now + lease)]),
      claimLanes: ({ kinds, lease, limit, now, room, rooms }) =>
        take("JobStore.claimLanes", now + lease, claimLanes, [
          instant(now),
          texts(kinds),
          int(limit),
          instant(now + lease),
          json(Object.fromEntries(rooms.flatMap(({ lane, room }) => (storable(lane) ? [[lane, room]] : [])))),
          int(room)
        ]),
      complete: ({ fence, key }) => (storable(key) ? completes.submit({ key, fence }) : Effect.succeed(false)),
      retry: ({ fence, key }, { failures, payload, reason, runAt }) =>
        Effect.tap(
          giveUp("JobStore.retry", retry, [
            text(key),
            int(fence),
            instant(runAt),
            text(readable(reason)),
            text(payload === undefined ? null : JSON.stringify(payload)),
            int(failures)
          ]),
          (given) => Effect.sync(() => given && wakeUps.wake())
        ),
      hasten: Effect.fnUntraced(
        function* (lane, later, runAt) {
          let hastened = 0
          for (;;) {
            const rows = yield* database.query(hasten, [
              text(lane),
              instant(later),
              instant(runAt),
              int(hastenedAtOnce)
            ])
            hastened += rows.length
            if (rows.length < hastenedAtOnce) break
          }
          wakeUps.wake()
          return hastened
        },
        Effect.mapError((failure) => failure.toStoreError("JobStore.hasten"))
      ),
      bury: ({ fence, key }, now, reason) =>
        giveUp("JobStore.bury", bury, [text(key), int(fence), instant(now), text(readable(reason))]),
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
