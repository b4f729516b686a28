import { type Job, JobStore, Subject, VerificationStore } from "@countersign/core"
import { assert } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import * as Race from "../Race.ts"
import { change, fresh, freshKind, job, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const lease = 15_000

/** Jobs come into being only inside a change. */
const add = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job.NewJob>, done: Job.Lease | null = null) {
  const store = yield* VerificationStore
  const subject = Subject.empty(jobs[0]?.environment ?? fresh("env"), fresh("91"))
  yield* store.commit(change(subject, { jobs, done }))
})

const claim = Effect.fnUntraced(function* (kind: Job.JobKind, now = noon, limit = 100) {
  return yield* (yield* JobStore).claim({ kinds: [kind], limit, now, lease })
})

/** One job, added and claimed. */
const claimedOne = Effect.gen(function* () {
  const one = job(fresh("env"))
  yield* add([one])
  const [leased] = yield* claim(one.kind)
  assert.isDefined(leased)
  return { jobs: yield* JobStore, leased: leased!, one }
})

export const jobChecks = [
  promise(
    "a claimed job comes with everything it was made with, a lease and its first attempt",
    Effect.gen(function* () {
      const one = job(fresh("env"), { payload: { text: "ü", number: 7, nothing: null }, runAt: noon - 5 })
      yield* add([one])
      assert.deepStrictEqual(yield* claim(one.kind), [{ ...one, leasedUntil: noon + lease, attempt: 1 }])
    })
  ),
  promise(
    "due jobs come oldest first, no more than asked for, and only of the kinds asked for",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const other = freshKind()
      const made = [5, 1, 4, 2, 3].map((age) => job(environment, { kind, runAt: noon - age }))
      yield* add([...made, job(environment, { kind: other }), job(environment, { kind, runAt: noon + 1 })])
      const ages = (jobs: ReadonlyArray<Job.LeasedJob>) => jobs.map(({ runAt }) => noon - runAt)
      assert.deepStrictEqual(ages(yield* claim(kind, noon, 3)), [5, 4, 3])
      assert.deepStrictEqual(ages(yield* claim(kind, noon, 9)), [2, 1])
      assert.deepStrictEqual(yield* claim(kind), [])
      assert.strictEqual((yield* claim(kind, noon + 1)).length, 1)
      assert.strictEqual((yield* claim(other)).length, 1)
      assert.deepStrictEqual(yield* (yield* JobStore).claim({ kinds: [], limit: 9, now: noon, lease }), [])
    })
  ),
  promise(
    "of many claimers at one instant no two get the same job",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      yield* add(Array.from({ length: 200 }, () => job(environment, { kind })))
      const race = yield* Race.together(20, () => claim(kind, noon, 20))
      const rest = yield* claim(kind, noon, 200)
      const keys = [...race.successes.flat(), ...rest].map(({ key }) => key)
      assert.deepStrictEqual(race.failures, [])
      assert.strictEqual(new Set(keys).size, keys.length)
      assert.strictEqual(keys.length, 200)
    })
  ),
  promise(
    "a job whose lease has run out is claimed again, with the next attempt",
    Effect.gen(function* () {
      const { leased, one } = yield* claimedOne
      assert.deepStrictEqual(yield* claim(one.kind, leased.leasedUntil - 1), [])
      const [again] = yield* claim(one.kind, leased.leasedUntil)
      assert.deepStrictEqual(
        { key: again?.key, attempt: again?.attempt, leasedUntil: again?.leasedUntil },
        { key: one.key, attempt: 2, leasedUntil: leased.leasedUntil + lease }
      )
    })
  ),
  promise(
    "completing removes a job, once",
    Effect.gen(function* () {
      const { jobs, leased, one } = yield* claimedOne
      assert.isTrue(yield* jobs.complete(leased))
      assert.isFalse(yield* jobs.complete(leased))
      assert.deepStrictEqual(yield* claim(one.kind, noon + 1e9), [])
      assert.isNull(yield* jobs.nextRunAt([one.kind]))
    })
  ),
  promise(
    "of many who complete one lease at once, one does",
    Effect.gen(function* () {
      const { jobs, leased } = yield* claimedOne
      const race = yield* Race.together(30, () => jobs.complete(leased))
      assert.strictEqual(race.successes.filter((done) => done).length, 1)
      assert.strictEqual(race.successes.length, 30)
    })
  ),
  promise(
    "whoever has lost the lease changes nothing",
    Effect.gen(function* () {
      const { jobs, leased: stale, one } = yield* claimedOne
      const [current] = yield* claim(one.kind, stale.leasedUntil)
      assert.isFalse(yield* jobs.complete(stale))
      assert.isFalse(yield* jobs.retry(stale, noon, "late"))
      assert.isFalse(yield* jobs.bury(stale, noon, "late"))
      yield* add([], stale)
      assert.strictEqual(yield* jobs.nextRunAt([one.kind]), current?.leasedUntil)
      assert.isTrue(yield* jobs.complete(current!))
    })
  ),
  promise(
    "a job given back runs again when it says",
    Effect.gen(function* () {
      const { jobs, leased, one } = yield* claimedOne
      assert.isTrue(yield* jobs.retry(leased, noon + 60_000, "provider is down"))
      assert.strictEqual(yield* jobs.nextRunAt([one.kind]), noon + 60_000)
      assert.deepStrictEqual(yield* claim(one.kind, noon + 59_999), [])
      assert.strictEqual((yield* claim(one.kind, noon + 60_000))[0]?.attempt, 2)
    })
  ),
  promise(
    "a buried job never comes back",
    Effect.gen(function* () {
      const { jobs, leased, one } = yield* claimedOne
      assert.isTrue(yield* jobs.bury(leased, noon, "refused for good \u0000 \ud800"))
      assert.deepStrictEqual(yield* claim(one.kind, noon + 1e9), [])
      assert.isNull(yield* jobs.nextRunAt([one.kind]))
      assert.isFalse(yield* jobs.complete(leased))
      assert.isFalse(yield* jobs.retry(leased, noon, "no"))
      yield* add([{ ...one, runAt: noon }])
      assert.deepStrictEqual(yield* claim(one.kind, noon + 1e9), [])
    })
  ),
  promise(
    "a job committed with a lease is nobody else's before it ends",
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const leased: Job.LeasedJob = { ...job(fresh("env")), leasedUntil: noon + lease, attempt: 1 }
      yield* add([leased])
      assert.deepStrictEqual(yield* claim(leased.kind, noon + lease - 1), [])
      assert.strictEqual(yield* jobs.nextRunAt([leased.kind]), noon + lease)
      const [taken] = yield* claim(leased.kind, noon + lease)
      assert.strictEqual(taken?.attempt, 2)
      assert.isFalse(yield* jobs.complete(leased))
      assert.isTrue(yield* jobs.complete(taken!))
    })
  ),
  promise(
    "a job committed with a lease is its holder's to complete",
    Effect.gen(function* () {
      const leased: Job.LeasedJob = { ...job(fresh("env")), leasedUntil: noon + lease, attempt: 1 }
      yield* add([leased])
      assert.isTrue(yield* (yield* JobStore).complete(leased))
    })
  ),
  promise(
    "asking twice for a key is asking once",
    Effect.gen(function* () {
      const one = job(fresh("env"), { payload: { first: 1 } })
      yield* add([one, { ...one, payload: { first: 0 } }])
      yield* add([{ ...one, payload: { first: 0 } }])
      const race = yield* Race.together(10, () => add([{ ...one, payload: { first: 0 } }]))
      assert.strictEqual(race.successes.length, 10)
      assert.deepStrictEqual(
        (yield* claim(one.kind)).map(({ payload }) => payload),
        [{ first: 1 }]
      )
      yield* add([{ ...one, runAt: noon - 1 }])
      assert.deepStrictEqual(yield* claim(one.kind), [])
    })
  ),
  promise(
    "a commit ends the job whose work it is, and may ask for it again",
    Effect.gen(function* () {
      const { jobs, leased, one } = yield* claimedOne
      yield* add([job(one.environment)], leased)
      assert.isFalse(yield* jobs.complete(leased))
      assert.isNull(yield* jobs.nextRunAt([one.kind]))
      yield* add([one])
      const [again] = yield* claim(one.kind)
      yield* add([{ ...one, runAt: noon + 5 }], again!)
      assert.strictEqual(yield* jobs.nextRunAt([one.kind]), noon + 5)
    })
  ),
  promise(
    "a commit that conflicts leaves the job it would have ended",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const { jobs, leased } = yield* claimedOne
      const moved = { ...Subject.empty(fresh("env"), "91"), version: 4 }
      yield* Effect.flip(store.commit(change(moved, { done: leased })))
      assert.isTrue(yield* jobs.complete(leased))
    })
  ),
  promise(
    "the next moment to look is that of the earliest job, leased ones included",
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const environment = fresh("env")
      const [a, b] = [freshKind(), freshKind()]
      assert.isNull(yield* jobs.nextRunAt([a, b]))
      yield* add([job(environment, { kind: a, runAt: noon + 9 }), job(environment, { kind: b, runAt: noon + 4 })])
      assert.strictEqual(yield* jobs.nextRunAt([a, b]), noon + 4)
      assert.strictEqual(yield* jobs.nextRunAt([a]), noon + 9)
      yield* claim(b, noon + 4)
      assert.strictEqual(yield* jobs.nextRunAt([b]), noon + 4 + lease)
    })
  ),
  promise(
    "work that nobody holds wakes those who wait for it",
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const woken = yield* Effect.forkChild(Stream.runHead(jobs.wakeUps), { startImmediately: true })
      const rings = yield* Effect.forkChild(
        Effect.forever(
          Effect.andThen(
            Effect.suspend(() => add([job(fresh("env"))])),
            Effect.yieldNow
          )
        )
      )
      yield* Fiber.join(woken)
      yield* Fiber.interrupt(rings)
    })
  )
]
