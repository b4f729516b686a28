import { type ClockRecord, ClockStore, type Job, JobStore, Subject, VerificationStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { change, claimFree, fresh, freshKind, job, noon } from "./fixtures.ts"
import { promise, type StorageCheck } from "./StorageCheck.ts"

const minute = 60_000
const lease = 15_000
/** Ahead of other checks' jobs, so that those stay where they are. */
const now = noon + 3_000 * 86_400_000

const add = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job.NewJob>) {
  const store = yield* VerificationStore
  yield* store.commit(change(Subject.empty(fresh("env"), fresh("91")), { jobs }))
})

/** The keys of a kind's jobs that can be claimed at a time. */
const dueAt = (kind: string, at: number) =>
  Effect.map(claimFree(kind, { now: at, limit: 100, lease: 10 * minute }), (jobs) =>
    jobs.map(({ payload }) => payload["name"])
  )

/** The clock state belongs to the whole storage, so a service may have saved one before. */
export const clockChecks: ReadonlyArray<StorageCheck> = [
  promise(
    "a saved clock state is loaded unchanged, one version later",
    Effect.gen(function* () {
      const store = yield* ClockStore
      const before = yield* store.load
      const record: ClockRecord.ClockRecord = {
        ...before,
        latest: noon + 0.5,
        uptime: 40 * 86_400_000,
        setBack: { by: 90_000, uptime: 7 },
        looks: [{ uptime: 0, at: noon }]
      }
      yield* store.save(record, null)
      assert.deepStrictEqual(yield* store.load, { ...record, version: before.version + 1 })
    })
  ),
  promise(
    "when 20 processes detect a clock set back, one shifts the waiting jobs",
    Effect.gen(function* () {
      const store = yield* ClockStore
      const kind = freshKind()
      const one = job(fresh("env"), { kind, payload: { name: "waits" }, runAt: now + 45 * minute })
      yield* add([one])
      const record = yield* store.load
      const results = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.result(store.save(record, { by: 30 * minute, now, until: null, kinds: null })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(results.filter(Result.isSuccess).length, 1)
      for (const result of results) if (Result.isFailure(result)) assert.strictEqual(result.failure._tag, "Conflict")
      assert.deepStrictEqual(yield* dueAt(kind, now + 15 * minute - 1), [])
      assert.deepStrictEqual(yield* dueAt(kind, now + 15 * minute), ["waits"])
    })
  ),
  promise(
    "after the clock is set back 40 days, waiting jobs run that much earlier, and due jobs as before",
    Effect.gen(function* () {
      const store = yield* ClockStore
      const kind = freshKind()
      const by = 40 * 1_440 * minute
      const of = (name: string, runAt: number) => job(fresh("env"), { kind, payload: { name }, runAt })
      yield* add([of("due", now), of("in a minute", now + by + minute), of("overdue", now + by - minute)])
      yield* store.save(yield* store.load, { by, now, until: null, kinds: null })
      assert.sameMembers(yield* dueAt(kind, now), ["due", "overdue"])
      assert.deepStrictEqual(yield* dueAt(kind, now + minute), ["in a minute"])
    })
  ),
  promise(
    "after the clock is set back, jobs that wait beyond a given instant stay where they are",
    Effect.gen(function* () {
      const store = yield* ClockStore
      const kind = freshKind()
      const by = 30 * minute
      const of = (name: string, runAt: number) => job(fresh("env"), { kind, payload: { name }, runAt })
      yield* add([of("moved", now + by + minute), of("left", now + by + minute + 1)])
      yield* store.save(yield* store.load, { by, now, until: now + by + minute, kinds: null })
      assert.deepStrictEqual(yield* dueAt(kind, now + minute), ["moved"])
    })
  ),
  promise(
    "after the clock is set back, only jobs of the requested kinds are moved",
    Effect.gen(function* () {
      const store = yield* ClockStore
      const [asked, other] = [freshKind(), freshKind()]
      const by = 30 * minute
      for (const kind of [asked, other]) {
        yield* add([job(fresh("env"), { kind, payload: { name: kind }, runAt: now + by + minute })])
      }
      yield* store.save(yield* store.load, { by, now, until: null, kinds: [asked] })
      assert.deepStrictEqual(yield* dueAt(asked, now + minute), [asked])
      assert.deepStrictEqual(yield* dueAt(other, now + by + minute - 1), [])
      yield* store.save(yield* store.load, { by, now, until: null, kinds: [] })
      assert.deepStrictEqual(yield* dueAt(other, now + by + minute - 1), [])
    })
  ),
  promise(
    "a clock set back does not end leases that began afterwards, and shortens earlier leases",
    Effect.gen(function* () {
      const store = yield* ClockStore
      const jobs = yield* JobStore
      const [before, after] = [freshKind(), freshKind()]
      const by = 30 * minute
      for (const kind of [before, after]) yield* add([job(fresh("env"), { kind, payload: { name: kind }, runAt: now })])
      yield* claimFree(before, { now: now + by, limit: 1, lease })
      const [held] = yield* claimFree(after, { now, limit: 1, lease })
      yield* store.save(yield* store.load, { by, now, until: null, kinds: null })
      assert.deepStrictEqual(yield* dueAt(after, now + lease - 1), [])
      assert.deepStrictEqual(yield* dueAt(before, now + lease - 1), [])
      assert.deepStrictEqual(yield* dueAt(before, now + lease), [before])
      assert.isTrue(yield* jobs.complete(held!))
    })
  )
]
