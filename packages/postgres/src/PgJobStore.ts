import { type Job, JobStore } from "@countersign/core/storage"
import { Effect, type Scope } from "effect"
import * as Batcher from "./Batcher.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { instant, instants, int, ints, json, storable, text, texts } from "./parameters.ts"
import type { PgWakeUps } from "./PgWakeUps.ts"
import * as Processes from "./Processes.ts"
import { queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"

/** The end of the lease for a job of this kind. */
const until = "(select k.until from unnest($2::text[], $3::timestamptz[]) as k(kind, until) where k.kind = j.kind)"

/** Finds each row by index and updates it by `ctid`. */
const claimed = `claimed as (
  update job j set run_at = due.until, attempt = j.attempt + 1, owner = ${Processes.ofSession} from due where j.ctid = due.place
  returning j.key, j.environment, j.kind, j.payload, due.run_at, j.attempt, j.failures, j.gate, j.lane
)`

const claimedColumns = "key, environment, kind, payload, run_at, attempt, failures, gate, lane"

/**
 * `run_at` of a claimed job is the end of its lease, so jobs of a dead process become due again without any cleanup.
 * Each row is found by index and updated by `ctid`, so the plan stays good while the table is mostly empty.
 */
export const claim = `
with due as (
  select j.ctid as place, j.run_at, ${until} as until from job j
  where dead_at is null and gate = '' and run_at <= $1 and kind = any($2)
  order by run_at limit $4 for update skip locked
), ${claimed}
select ${claimedColumns} from claimed order by run_at, key`

/** Below this number of due jobs at a gate, their lanes are all lanes with a due job. */
export const fewDue = 500

/**
 * Finds the lanes of each gate that have a due job. With few due jobs, it reads the lanes from those jobs, so lanes
 * without a due job, such as those of endpoints that stopped answering, cost nothing. With many due jobs, it skips
 * through the index from one lane to the next, whatever the length of each lane.
 *
 * A job's level is its position among the running and due jobs of its environment in the gate. The jobs with the lowest
 * level are claimed, the oldest first. A lane's level, counted in lanes, never exceeds that of its first job, so at
 * most as many lanes are read as jobs may be claimed. A lane is a range of its index, in index order, so a plan cached
 * for an empty table uses that index too.
 *
 * Another session may have taken a chosen job before it is locked, so the lock checks it again. If any were taken, the
 * next run time is now.
 */
export const claimGates = `
with recursive asked as materialized (
  select * from jsonb_to_recordset($4::jsonb)
    as g(gate text, "limit" int, free int, share float8, room int, held jsonb, rooms jsonb)
), oldest as materialized (
  select g.gate, d.environment, d.lane, d.kind, d.run_at from asked g
  cross join lateral (
    select environment, lane, kind, run_at from job
    where dead_at is null and gate = g.gate and run_at <= $1
    order by run_at limit ${fewDue}
  ) d
), busy as materialized (
  select gate from oldest group by gate having count(*) = ${fewDue}
), walked(gate, environment, lane, run_at) as (
  select b.gate, f.environment, f.lane, f.run_at from busy b
  cross join lateral (
    select environment, lane, run_at from job
    where dead_at is null and gate <> '' and gate = b.gate and kind = any($2)
    order by environment, lane, run_at limit 1
  ) f
  union all
  select f.gate, next.environment, next.lane, next.run_at from walked f
  cross join lateral (
    select environment, lane, run_at from job
    where dead_at is null and gate <> '' and gate = f.gate and (environment, lane) > (f.environment, f.lane)
      and kind = any($2)
    order by environment, lane, run_at limit 1
  ) next
), first as (
  select gate, environment, lane, run_at from walked where run_at <= $1
  union all
  select gate, environment, lane, min(run_at) from oldest
  where kind = any($2) and (gate in (select gate from busy)) is not true
  group by gate, environment, lane
), due_lane as (
  select f.gate, f.environment, f.lane, f.run_at, g."limit", g.free, g.share,
    least(coalesce((g.rooms ->> f.lane)::int, g.room), g."limit") as room,
    coalesce((g.held ->> f.environment)::int, 0) as held
  from first f join asked g on g.gate = f.gate
), open as materialized (
  select * from (
    select l.*, row_number() over (partition by gate order by level, run_at) as n from (
      select l.*, held + row_number() over (partition by gate, environment order by run_at) as level
      from due_lane l where room > 0
    ) l where share is null or level - 1 < share * free
  ) l where n <= "limit"
), candidate as materialized (
  select o.gate, o.environment, o.lane, o.room, o.held, o."limit", o.free, o.share, c.place, c.run_at from open o
  cross join lateral (
    select ctid as place, run_at from job
    where dead_at is null and gate <> '' and gate = o.gate and (environment, lane) >= (o.environment, o.lane)
      and (environment, lane, run_at) <= (o.environment, o.lane, $1) and kind = any($2)
    order by environment, lane, run_at limit o.room
  ) c
), chosen as materialized (
  select place from (
    select c.*, row_number() over (partition by gate order by level, run_at) as n from (
      select c.*, row_number() over (partition by gate, lane order by level, run_at) as of_lane from (
        select c.*, held + row_number() over (partition by gate, environment order by run_at) as level from candidate c
      ) c
    ) c where of_lane <= room
  ) c where n <= "limit" and (share is null or level - 1 < share * (free - (n - 1)))
), due as materialized (
  select j.ctid as place, j.run_at, ${until} as until from job j
  where j.ctid = any(array(select place from chosen)) and j.dead_at is null and j.run_at <= $1
  for update skip locked
), ${claimed}
select ${claimedColumns} from claimed
union all
select null, null, null, null, least(
  (select min(n.run_at) from asked g cross join lateral (
    select run_at from job
    where dead_at is null and gate = g.gate and run_at > $1 and kind = any($2) order by run_at limit 1
  ) n),
  case when (select count(*) from chosen) > (select count(*) from due) then $1 end
), null, null, null, null
order by run_at, key`

export const complete = `
delete from job j using (
  select l.n, t.place, t.attempt
  from unnest($1::text[], $2::int[]) with ordinality as l(key, attempt, n)
  cross join lateral (select ctid as place, attempt from job where key = l.key and attempt = l.attempt offset 0) t
) l
where j.ctid = l.place and j.attempt = l.attempt and (j.dead_at is null) is true
returning l.n::int`

/** Invalid characters are replaced, because the reason is only for reading. */
const readable: Table.Column<string> = {
  ...Table.word,
  write: (reason) => reason.toWellFormed().replaceAll("\u0000", "\ufffd")
}

/** The outcome of a job that was not completed. */
interface GivenUp {
  readonly lease: Job.Lease
  readonly reason: string
  readonly retry: JobStore.Retry | null
  readonly deadAt: number | null
}

const ofRetry = <A>(column: Table.Column<A>, value: (retry: JobStore.Retry) => A | null | undefined) =>
  Table.of(Table.nullable(column), ({ retry }: GivenUp) => (retry === null ? null : (value(retry) ?? null)))

const lease = Table.group<Job.Lease>({ key: Table.text, fence: Table.named("attempt", Table.int) })

const left = Table.rows<Omit<GivenUp, "retry">>()("job", [], {
  lease,
  runAt: ofRetry(Table.time, ({ runAt }) => runAt),
  reason: readable,
  payload: ofRetry(Table.json, ({ payload }) => payload),
  failures: ofRetry(Table.int, ({ failures }) => failures),
  gate: ofRetry(Table.word, ({ gate }) => gate?.gate),
  lane: ofRetry(Table.word, ({ gate }) => (gate === undefined ? null : (gate.lane ?? ""))),
  deadAt: Table.nullable(Table.time)
})

/** A job released or buried; null fields stay as they are. */
export const giveUp = `
update job j set run_at = coalesce(l.run_at, j.run_at), last_error = l.reason, payload = coalesce(l.payload, j.payload),
  failures = coalesce(l.failures, j.failures), gate = coalesce(l.gate, j.gate),
  lane = case when l.gate is null then j.lane else l.lane end, dead_at = l.dead_at, owner = null
from (
  select l.*, t.place, t.attempt as found
  from unnest(${left.given(1)}) with ordinality
    as l(${left.names.join(", ")}, n)
  cross join lateral (select ctid as place, attempt from job where key = l.key and attempt = l.attempt offset 0) t
) l
where j.ctid = l.place and j.attempt = l.found and (j.dead_at is null) is true
returning l.n::int`

export const cancel = `
delete from job j using (
  select l.n, t.place, l.key
  from unnest($1::text[]) with ordinality as l(key, n)
  cross join lateral (select ctid as place from job where key = l.key offset 0) t
) l
where j.ctid = l.place and j.key = l.key and (j.dead_at is null) is true
returning l.n::int`

export const holds = "select 1 from job where key = $1 and dead_at is null"

export const hasten = `
update job set run_at = $5 where ctid = any(array(
  select ctid from job where dead_at is null and gate <> '' and gate = $1 and (environment, lane, run_at) > ($2, $3, $4)
    and (environment, lane) <= ($2, $3)
  order by environment, lane, run_at limit $6 for update skip locked
)) returning 1`

/** A semicolon is the next character after the colon, so the range holds all keys that continue the key. */
const underKey =
  "key >= $1 and key < $1 || ';' and (dead_at is null and (key = $1 or starts_with(key, $1 || ':'))) is true"

/** The condition on the run time is checked again on a row that another process just claimed. */
export const hastenKey = `
with moved as (
  update job set run_at = $3 where ${underKey} and (run_at > $2) is true returning 1
)
select (select count(*) from job where ${underKey})::int, (select count(*) from moved)::int`

export const inLane = `
select count(*)::int from (
  select from job where dead_at is null and gate <> '' and gate = $1 and (environment, lane) >= ($2, $3)
    and (environment, lane) <= ($2, $3)
  order by environment, lane limit $4
) j`

const hastenedAtOnce = 1_000

export const nextRunAt =
  "select run_at from job where dead_at is null and gate = '' and kind = any($1) order by run_at limit 1"

/** No index finds the oldest gated job. Beyond this many due jobs, the result is approximate: one of the oldest. */
export const overdue = `
select kind, min(run_at) from (
  (select kind, run_at from job where dead_at is null and gate = '' and run_at <= $1 order by run_at limit 2000)
  union all
  (select kind, run_at from job where dead_at is null and gate > '' and run_at <= $1 limit 20000)
) due
group by kind`

/** Reads the index of due jobs twice for each gate with jobs. */
export const gatesDue = `
with recursive known(gate) as (
  (select gate from job where dead_at is null and gate > '' order by gate limit 1)
  union all
  select next.gate from known cross join lateral (
    select gate from job where dead_at is null and gate > known.gate order by gate limit 1
  ) next
)
select gate from known where exists (
  select from job where dead_at is null and gate = known.gate and run_at <= $1
)`

/**
 * Reads the index of lanes in order: at most as many due rows of a gate as are counted, and the rows between them that
 * are not due yet.
 */
export const waiting = `
select g.gate, count(*)::int, min(w.run_at) from unnest($2::text[]) as g(gate)
cross join lateral (
  select run_at from job
  where dead_at is null and gate <> '' and gate = g.gate and environment = $1 and run_at <= $3
  order by lane limit $4
) w
group by g.gate`

const decode = (
  [key, environment, kind, payload, runAt, fence, failures, gate, lane]: Row,
  kinds: ReadonlyArray<JobStore.ClaimedKind>,
  now: number
): Job.LeasedJob => ({
  key: key as string,
  environment: environment as string,
  kind: kind as string,
  ...(gate === "" ? {} : { gate: gate as string }),
  ...(lane === null || lane === "" ? {} : { lane: lane as string }),
  payload: JSON.parse(payload as string) as Job.Job["payload"],
  runAt: (runAt as Date).getTime(),
  leasedUntil: now + (kinds.find((one) => one.kind === kind)?.lease ?? 0),
  fence: fence as number,
  failures: failures as number
})

/** Drops names that Postgres cannot store: no job has them. */
const roomOf = ({ held, rooms, ...room }: JobStore.GateRoom) => ({
  ...room,
  held: Object.fromEntries(
    held.flatMap(({ environment, held }) => (storable(environment) ? [[environment, held] as const] : []))
  ),
  rooms: Object.fromEntries(rooms.flatMap(({ lane, room }) => (storable(lane) ? [[lane, room] as const] : [])))
})

export const make: (wakeUps: PgWakeUps) => Effect.Effect<JobStore["Service"], never, PgDatabase | Scope.Scope> =
  Effect.fnUntraced(function* (wakeUps) {
    const database = yield* PgDatabase
    const { row, rows, write } = queriesOf(database, "JobStore")

    /** One statement for a whole batch. Returns the positions where it had an effect. */
    const batch = <Item>(
      operation: string,
      keyOf: (item: Item) => string,
      statement: string,
      parameters: (items: ReadonlyArray<Item>) => ReadonlyArray<unknown>
    ) =>
      Batcher.make<Item, boolean>({
        operation,
        keyOf,
        sameKey: "wait",
        // A lease does not name its environment, so each job is its own owner.
        ownerOf: keyOf,
        run: (items) =>
          Effect.map(database.query(statement, parameters(items)), (rows) => {
            const done = new Array<boolean>(items.length).fill(false)
            for (const [n] of rows) done[(n as number) - 1] = true
            return done
          })
      })

    const completes = yield* batch<Job.Lease>(
      "JobStore.complete",
      ({ key }) => key,
      complete,
      (leases) => [texts(leases.map(({ key }) => key)), ints(leases.map(({ fence }) => fence))]
    )

    const givenUp = yield* batch<GivenUp>(
      "JobStore.retry",
      ({ lease }) => lease.key,
      giveUp,
      (all) => left.parameters(all.map(left.encode))
    )

    const cancels = yield* batch<string>(
      "JobStore.cancel",
      (key) => key,
      cancel,
      (keys) => [texts(keys)]
    )

    const take = <A>(
      operation: string,
      kinds: ReadonlyArray<JobStore.ClaimedKind>,
      now: number,
      statement: string,
      last: () => unknown,
      of: (row: Row) => A
    ) =>
      rows(
        operation,
        statement,
        () => [
          instant(now),
          texts(kinds.map(({ kind }) => kind)),
          instants(kinds.map(({ lease }) => now + lease)),
          last()
        ],
        of
      )

    const settle = (one: GivenUp) => (storable(one.lease.key) ? givenUp.submit(one) : Effect.succeed(false))

    return JobStore.of({
      claim: ({ kinds, limit, now }) =>
        take(
          "claim",
          kinds,
          now,
          claim,
          () => int(limit),
          (row) => decode(row, kinds, now)
        ),
      claimGates: ({ gates, kinds, now }) =>
        Effect.map(
          take(
            "claimGates",
            kinds,
            now,
            claimGates,
            () => json(gates.map(roomOf)),
            (row) => row
          ),
          (found) => {
            const last = found.find(([key]) => key === null)
            return {
              jobs: found.filter(([key]) => key !== null).map((row) => decode(row, kinds, now)),
              next: last?.[4] == null ? null : (last[4] as Date).getTime()
            }
          }
        ),
      complete: ({ fence, key }) => (storable(key) ? completes.submit({ key, fence }) : Effect.succeed(false)),
      retry: (lease, retry) => settle({ lease, reason: retry.reason, retry, deadAt: null }),
      bury: (lease, now, reason) => settle({ lease, reason, retry: null, deadAt: now }),
      holds: (key) =>
        Effect.map(
          rows(
            "holds",
            holds,
            () => [text(key)],
            () => 1
          ),
          (held) => held.length > 0
        ),
      cancel: (key) => (storable(key) ? cancels.submit(key) : Effect.succeed(false)),
      hasten: Effect.fnUntraced(function* ({ environment, gate, lane, later, runAt }) {
        let hastened = 0
        for (;;) {
          const moved = yield* write("hasten", hasten, () => [
            text(gate),
            text(environment),
            text(lane),
            instant(later),
            instant(runAt),
            int(hastenedAtOnce)
          ])
          hastened += moved.length
          if (moved.length < hastenedAtOnce) break
        }
        wakeUps.wake()
        return hastened
      }),
      hastenKey: Effect.fnUntraced(function* (key, { later, runAt }) {
        if (!storable(key)) return { found: 0, moved: 0 }
        const [counted] = yield* write("hastenKey", hastenKey, () => [text(key), instant(later), instant(runAt)])
        const [found, moved] = (counted ?? [0, 0]) as ReadonlyArray<number>
        if (moved! > 0) wakeUps.wake()
        return { found: found!, moved: moved! }
      }),
      inLane: ({ environment, gate, lane, most }) =>
        Effect.map(
          row(
            "inLane",
            inLane,
            () => [text(gate), text(environment), text(lane), int(most)],
            ([count]) => Number(count)
          ),
          (count) => count ?? 0
        ),
      nextRunAt: (kinds) =>
        row(
          "nextRunAt",
          nextRunAt,
          () => [texts(kinds)],
          ([at]) => (at as Date).getTime()
        ),
      overdue: (now) =>
        rows(
          "overdue",
          overdue,
          () => [instant(now)],
          ([kind, at]) => ({
            kind: kind as string,
            since: (at as Date).getTime()
          })
        ),
      gatesDue: (before) =>
        rows(
          "gatesDue",
          gatesDue,
          () => [instant(before)],
          ([gate]) => gate as string
        ),
      waiting: ({ environment, gates, most, now }) =>
        rows(
          "waiting",
          waiting,
          () => [text(environment), texts([...new Set(gates)]), instant(now), int(most)],
          ([gate, count, since]) => ({
            gate: gate as string,
            count: count as number,
            since: (since as Date).getTime()
          })
        ),
      wakeUps: wakeUps.stream
    })
  })
