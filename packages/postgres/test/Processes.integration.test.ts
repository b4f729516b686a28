import { IdempotencyStore, type Job, JobStore, noRecords, OutboxStore } from "@countersign/core/storage"
import { assert, it } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Layer, Schedule, Scope } from "effect"
import { seen } from "./Holding.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

const inOwnDatabase = <A, E>(effect: Effect.Effect<A, E, TestDatabase | Scope.Scope>) =>
  Effect.provide(Effect.scoped(effect), TestDatabase.layer)

const start = Layer.build(storage({ connections: 2 }))

const scope = { environment: "env", endpoint: "POST /v1/auth/initiate", key: "k" }
const lease = 15_000

const request = (holder: string, now: number) => ({
  scope,
  fingerprint: "f",
  holder,
  now,
  leasedUntil: now + lease,
  keptSince: now - 1e9
})

/** The leases of a working process: a send that it committed, one that it claimed, a webhook and a request. */
const holdSomething = Effect.fnUntraced(function* (
  context: Context.Context<JobStore | OutboxStore | IdempotencyStore>
) {
  const now = yield* Clock.currentTimeMillis
  const jobs = Context.get(context, JobStore)
  const job = (key: string, more?: Partial<Job.LeasedJob>): Job.NewJob => ({
    key,
    environment: "env",
    kind: "send",
    payload: {},
    runAt: now,
    ...more
  })
  const committed = { leasedUntil: now + lease, fence: 1, failures: 0 }
  const waiting = [
    job("claimed"),
    job("told", { kind: "webhook", gate: "webhook", lane: "whk_1" }),
    job("committed", committed),
    job("not due", { kind: "fallback", runAt: now + 40_000 }),
    job("put off")
  ]
  yield* Context.get(context, OutboxStore).append({ ...noRecords, jobs: waiting })
  const claim = { kinds: ["send", "webhook"].map((kind) => ({ kind, lease })), now: now + 1 }
  const claimed = yield* jobs.claim({ ...claim, limit: 9 })
  assert.lengthOf(claimed, 2)
  const room = { gate: "webhook", limit: 9, free: 9, share: null, held: [], room: 1, rooms: [] }
  assert.lengthOf((yield* jobs.claimGates({ ...claim, gates: [room] })).jobs, 1)
  const putOff = claimed.find(({ key }) => key === "put off")!
  yield* jobs.retry(putOff, { runAt: now + 40_000, reason: "later", failures: 1 })
  assert.strictEqual((yield* Context.get(context, IdempotencyStore).begin(request("it", now)))._tag, "Taken")
})

const held =
  "select from job where owner is not null and attempt > 0 union all select from idempotency where leased_until > now()"
const leased = (key: string) =>
  `select from job where key = '${key}' and run_at > now() and run_at <= now() + interval '50 seconds'`

/** Everything that another process may claim by now. */
const free = Effect.gen(function* () {
  const { sql } = yield* TestDatabase
  const rows = yield* sql<{ key: string }>`
    select key from job where run_at <= now() union all select 'request' from idempotency where leased_until <= now() order by 1`
  return rows.map(({ key }) => key)
})
const everything = ["claimed", "committed", "request", "told"]
const untilFree = free.pipe(
  Effect.flatMap((keys) =>
    keys.length === everything.length ? Effect.succeed(keys) : Effect.fail("not yet" as const)
  ),
  Effect.retry(Schedule.spaced("20 millis"))
)

/** Simulates a kill: no connection of the process comes back. */
const kill = Effect.gen(function* () {
  const { sql } = yield* TestDatabase
  const [doomed] = yield* sql<{ number: string }>`select number::text from process order by began_at limit 1`
  return doomed!.number
})

it.live("jobs of a dead process are free long before their leases end", () =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    const doomed = yield* start
    yield* holdSomething(doomed)
    assert.deepStrictEqual(yield* free, [])
    // Gives leases the former number of a process that no longer holds a lock.
    const number = yield* kill
    yield* sql`insert into process (number) values (7)`
    yield* sql`update job set owner = 7 where owner = ${number}::bigint`
    yield* sql`update idempotency set owner = 7`
    assert.deepStrictEqual(yield* untilFree, everything)
    yield* seen(leased("put off"))
    yield* seen(leased("not due"))
    const now = yield* Clock.currentTimeMillis
    assert.strictEqual((yield* Context.get(doomed, IdempotencyStore).begin(request("another", now)))._tag, "Taken")
    const jobs = Context.get(doomed, JobStore)
    const again = yield* jobs.claim({ kinds: [{ kind: "send", lease }], limit: 9, now: now + 1 })
    assert.deepStrictEqual(
      again.map(({ fence, key }) => [key, fence]),
      [
        ["claimed", 2],
        ["committed", 2]
      ]
    )
    // The dead process resumes: it changes nothing.
    assert.isFalse(yield* jobs.complete({ key: "claimed", fence: 1 }))
    yield* seen("select where not exists (select from process where number = 7)")
  }).pipe(inOwnDatabase)
)

it.live("a process that ends normally leaves nothing leased", () =>
  Effect.gen(function* () {
    const survivor = yield* start
    assert.isDefined(survivor)
    const scope = yield* Scope.make()
    yield* holdSomething(yield* Scope.provide(start, scope))
    yield* seen("select from process having count(*) = 2")
    yield* Scope.close(scope, Exit.void)
    assert.deepStrictEqual(yield* free, everything)
    yield* seen("select from process having count(*) = 1")
  }).pipe(inOwnDatabase)
)

it.live("a process whose connections are all cut is not declared dead", () =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    const cut = yield* start
    yield* start
    yield* holdSomething(cut)
    const locks =
      "select from pg_locks where locktype = 'advisory' and objsubid = 1 and mode = 'ExclusiveLock' and granted"
    for (let round = 0; round < 3; round++) {
      yield* sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'countersign'`
      yield* seen(
        `${locks} and database = (select oid from pg_database where datname = current_database()) having count(*) = 2`
      )
    }
    // By now another process has checked twice after the last cut.
    const looks = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_try_advisory_xact_lock_shared(number)%'
      and query_start > now() - interval '1 minute' having count(*) = 2`
    yield* seen(looks)
    assert.deepStrictEqual(yield* free, [])
    yield* seen(held)
  }).pipe(inOwnDatabase)
)
