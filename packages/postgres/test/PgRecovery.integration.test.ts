import type { WebhookAttempt } from "@countersign/core"
import {
  changeOf,
  Conflict,
  EventStore,
  JobStore,
  OutboxStore,
  noRecords,
  StorageHealth,
  StoreError,
  Subject,
  type VerificationChange,
  VerificationStore,
  WebhookStore
} from "@countersign/core/storage"
import { Race } from "@countersign/testkit"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Redacted, Schedule, Stream } from "effect"
import { inspect } from "node:util"
import { storage, TestDatabase } from "./TestDatabase.ts"

const change = (
  subject: Subject.Subject,
  { verification = null, ...fields }: Partial<VerificationChange> = {}
): VerificationChange => changeOf(null, subject, verification, null, fields)

let last = 0
const newSubject = () => Subject.empty("env", `91${++last}`)

/** One more process on the same database. */
const process = (options?: Parameters<typeof storage>[0]) => Layer.build(storage(options))

const listening =
  "select count(*)::int as n from pg_stat_activity where datname = current_database() and query ilike 'listen%'"
const killAll = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'countersign'`

const untilListening = (count: number) =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    const rows = yield* sql.unsafe<{ n: number }>(listening)
    if (rows[0]!.n < count) return yield* Effect.fail("not yet")
  }).pipe(Effect.retry(Schedule.spaced("20 millis")))

/** The reaction of a caller after a StoreError. */
const insist = <A, R>(effect: Effect.Effect<A, StoreError, R>) =>
  Effect.retry(effect, { times: 200, schedule: Schedule.spaced("10 millis") })

layer(TestDatabase.layer, { excludeTestServices: true })("Postgres", (it) => {
  it.effect("processes that share a database race like a single process", () =>
    Effect.gen(function* () {
      const stores = [yield* process(), yield* process(), yield* process()].map(Context.get(VerificationStore))
      for (const version of [0, 1, 2]) {
        const subject = { ...Subject.empty("env", "shared"), version }
        const race = yield* Race.together(201, (index) =>
          stores[index % 3]!.commit(
            change({ ...subject, guesses: { ...subject.guesses, SDK: { failures: index, failedAt: 5 } } })
          )
        )
        assert.strictEqual(race.successes.length, 1)
        assert.strictEqual(race.failures.filter((error) => error instanceof Conflict).length, 200)
      }
    })
  )

  it.effect("statements that lock the same rows in any order all succeed", () =>
    Effect.gen(function* () {
      const stores = [yield* process(), yield* process()].map(Context.get(VerificationStore))
      const people = Array.from({ length: 60 }, newSubject)
      yield* Race.together(60, (index) => stores[0]!.commit(change(people[index]!)))
      const race = yield* Race.together(240, (index) => {
        const store = stores[index % 2]!
        const { canonical, environment } = people[(index * 37) % 60]!
        return store.subject(environment, canonical).pipe(
          Effect.flatMap((subject) => store.commit(change(subject, { orderId: `order_${index % 3}` }))),
          Effect.retry({ while: (error) => error._tag === "Conflict" })
        )
      })
      assert.deepStrictEqual([...race.failures, ...race.defects], [])
      const after = yield* Effect.forEach(people, ({ canonical, environment }) =>
        stores[0]!.subject(environment, canonical)
      )
      assert.strictEqual(
        after.reduce((sum, { version }) => sum + version, 0),
        300
      )
    })
  )

  it.effect("a job added by one process wakes another process, also after its connection was lost", () =>
    Effect.gen(function* () {
      const { sql } = yield* TestDatabase
      const worker = yield* process()
      const other = yield* process()
      const jobs = Context.get(worker, JobStore)
      for (const round of [1, 2]) {
        yield* untilListening(2)
        const woken = yield* Effect.forkChild(Stream.runHead(jobs.wakeUps), { startImmediately: true })
        const job = { key: `job_${round}`, environment: "env", kind: "send", payload: {}, runAt: 0 } as const
        yield* insist(
          Effect.catchTag(
            Context.get(other, VerificationStore).commit(change(newSubject(), { jobs: [job] })),
            "Conflict",
            () => Effect.void
          )
        )
        yield* Fiber.join(woken)
        yield* sql.unsafe(killAll)
      }
    })
  )

  it.effect("when every connection is lost under load, nothing acknowledged is lost and work continues", () =>
    Effect.gen(function* () {
      const { sql } = yield* TestDatabase
      const context = yield* process()
      const store = Context.get(context, VerificationStore)
      const people = Array.from({ length: 400 }, newSubject)
      const committing = yield* Effect.forkChild(
        Effect.forEach(people, (person) => Effect.exit(store.commit(change(person))), { concurrency: 20 })
      )
      yield* Effect.repeat(sql.unsafe(killAll), { times: 5, schedule: Schedule.spaced("5 millis") })
      const exits = yield* Fiber.join(committing)
      for (const [index, exit] of exits.entries()) {
        const { version } = yield* insist(store.subject("env", people[index]!.canonical))
        if (Exit.isSuccess(exit)) assert.strictEqual(version, 1)
        else assert.instanceOf(yield* Effect.flip(exit), StoreError)
      }
      yield* insist(Context.get(context, StorageHealth).check)
      yield* store.commit(change(newSubject()))
    })
  )

  it.effect("processes that share lanes claim no job twice, and never a job that another process holds", () =>
    Effect.gen(function* () {
      const contexts = [yield* process(), yield* process(), yield* process()]
      const lanes = Array.from({ length: 30 }, (_, index) => `lane_${index}`)
      const jobs = lanes.flatMap((lane) =>
        Array.from({ length: 20 }, (_, index) => ({
          key: `told:${lane}:${index}`,
          environment: "env",
          kind: "webhook",
          gate: "webhook",
          lane,
          payload: {},
          runAt: index
        }))
      )
      yield* Context.get(contexts[0]!, OutboxStore).append({ ...noRecords, jobs })
      const done: Array<string> = []
      const work = Effect.fnUntraced(function* (store: JobStore["Service"]) {
        const room = { gate: "webhook", limit: 64, free: 64, share: null, held: [], room: 4, rooms: [] }
        const claim = { kinds: [{ kind: "webhook", lease: 60_000 }], now: 1_000, gates: [room] }
        for (let idle = 0; idle < 5; ) {
          const { jobs: claimed } = yield* store.claimGates(claim)
          idle = claimed.length === 0 ? idle + 1 : 0
          for (const job of claimed) {
            assert.strictEqual(job.fence, 1)
            if (yield* store.complete(job)) done.push(job.key)
          }
        }
      })
      const race = yield* Race.together(3, (index) => work(Context.get(contexts[index]!, JobStore)))
      assert.deepStrictEqual([...race.failures, ...race.defects], [])
      yield* work(Context.get(contexts[0]!, JobStore))
      assert.deepStrictEqual(done.sort(), jobs.map(({ key }) => key).sort())
    })
  )

  it.effect(
    "when every connection is lost during recording, each delivery attempt is both logged and finished, or neither",
    () =>
      Effect.gen(function* () {
        const { sql } = yield* TestDatabase
        const context = yield* process()
        const store = Context.get(context, WebhookStore)
        const jobs = Context.get(context, JobStore)
        const lane = "whk_lost"
        const leased = Array.from({ length: 200 }, (_, index) => ({
          key: `told:${lane}:${index}`,
          environment: "env",
          kind: "replay",
          gate: "receivers",
          lane,
          payload: {},
          runAt: 0,
          leasedUntil: 1_000,
          fence: 1,
          failures: 0
        }))
        yield* Context.get(context, OutboxStore).append({ ...noRecords, jobs: leased })
        const attempts = leased.map(
          (_, index): WebhookAttempt => ({
            id: `dlv_lost_${index}`,
            environment: "env",
            webhookId: lane,
            eventId: `evt_${index}`,
            eventType: "otp.verified",
            attempt: 1,
            status: "DELIVERED",
            url: "https://shop.example/hooks",
            createdAt: 0,
            durationMs: 1,
            responseStatus: 200,
            responseBody: null,
            error: null,
            nextAttemptAt: null
          })
        )
        const recording = yield* Effect.forkChild(
          Effect.forEach(
            attempts,
            (attempt, index) =>
              Effect.exit(store.record(WebhookStore.attemptChange(attempt, { lease: leased[index]!, runAt: null }))),
            { concurrency: 20 }
          )
        )
        yield* Effect.repeat(sql.unsafe(killAll), { times: 5, schedule: Schedule.spaced("5 millis") })
        const exits = yield* Fiber.join(recording)
        const left = yield* insist(
          Effect.map(
            jobs.claimGates({
              kinds: [{ kind: "replay", lease: 1 }],
              now: 1_000,
              gates: [{ gate: "receivers", limit: 999, free: 999, share: null, held: [], room: 999, rooms: [] }]
            }),
            ({ jobs }) => jobs
          )
        )
        const waiting = new Set(left.map(({ key }) => key))
        for (const [index, exit] of exits.entries()) {
          const logged = (yield* insist(store.attempt("env", attempts[index]!.id))) !== null
          assert.strictEqual(waiting.has(leased[index]!.key), !logged)
          if (Exit.isSuccess(exit)) assert.isTrue(logged)
        }
      })
  )

  it.effect("a locked row costs its callers an error, and the process continues", () =>
    Effect.gen(function* () {
      const { sql } = yield* TestDatabase
      const store = Context.get(yield* process({ timeout: "300 millis" }), VerificationStore)
      const held = newSubject()
      yield* store.commit(change(held))
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`select 1 from subject where canonical = ${held.canonical} for update`
          const error = yield* Effect.flip(store.commit(change({ ...held, version: 1 })))
          assert.instanceOf(error, StoreError)
          // Reads need no lock.
          assert.strictEqual((yield* store.subject("env", held.canonical)).version, 1)
        })
      )
      yield* store.commit(change({ ...held, version: 1 }))
    })
  )

  it.effect("an interrupted caller leaves the other callers their results", () =>
    Effect.gen(function* () {
      const store = Context.get(yield* process(), VerificationStore)
      const people = Array.from({ length: 100 }, newSubject)
      const callers = yield* Effect.forEach(people, (person) =>
        Effect.forkChild(store.commit(change(person)), { startImmediately: true })
      )
      const staying = callers.filter((_, index) => index % 2 === 0)
      yield* Fiber.interruptAll(callers.filter((_, index) => index % 2 === 1))
      yield* Effect.forEach(staying, Fiber.join)
      assert.strictEqual((yield* store.subject("env", people[0]!.canonical)).version, 1)
    })
  )

  it.effect("an error names the operation and no stored, requested or configured value", () =>
    Effect.gen(function* () {
      const { sql, url } = yield* TestDatabase
      const context = yield* process()
      const store = Context.get(context, VerificationStore)
      yield* sql`alter table subject rename column state to gone`
      const errors = [
        yield* Effect.flip(store.subject("env", "canary-person")),
        yield* Effect.flip(store.commit(change(Subject.empty("env", "canary-person"), { orderId: "canary-order" }))),
        yield* Effect.flip(
          Context.get(context, EventStore).list({ environment: "canary-env", type: null, after: null, limit: -1 })
        )
      ]
      yield* sql`alter table subject rename column gone to state`
      assert.deepStrictEqual(
        errors.map((error) => (error instanceof StoreError ? error.operation : error)),
        ["VerificationStore.subject", "VerificationStore.commit", "EventStore.list"]
      )
      const { password } = new URL(Redacted.value(url))
      for (const error of errors) {
        const shown = inspect(error, { depth: 20 }) + String(error) + JSON.stringify(error)
        for (const secret of ["canary", "select ", "insert ", `:${password}@`]) assert.notInclude(shown, secret)
      }
    })
  )

  it.effect("callers that still wait when storage closes get an error", () =>
    Effect.gen(function* () {
      const { sql } = yield* TestDatabase
      const held = newSubject()
      const error = yield* sql.withTransaction(
        Effect.gen(function* () {
          const waiting = yield* Effect.scoped(
            Effect.gen(function* () {
              const store = Context.get(yield* process(), VerificationStore)
              yield* store.commit(change(held))
              yield* sql`select 1 from subject where canonical = ${held.canonical} for update`
              const fiber = yield* Effect.forkDetach(Effect.flip(store.commit(change({ ...held, version: 1 }))), {
                startImmediately: true
              })
              yield* store.subject("env", held.canonical)
              return fiber
            })
          )
          return yield* Fiber.join(waiting)
        })
      )
      assert.instanceOf(error, StoreError)
    })
  )
})
