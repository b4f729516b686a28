import { type Job, JobStore, Subject, VerificationStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import * as Race from "../Race.ts"
import {
  type Asked,
  change,
  claimFree,
  claimGate,
  claimLanes as lanesOf,
  fresh,
  freshKind,
  job,
  noon
} from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const lease = 15_000

/** Jobs are created only inside a change. */
const add = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job.NewJob>, done: Job.Lease | null = null) {
  const store = yield* VerificationStore
  const subject = Subject.empty(jobs[0]?.environment ?? fresh("env"), fresh("91"))
  yield* store.commit(change(subject, { jobs, done }))
})

const claim = (kind: string, now = noon, limit = 100) => claimFree(kind, { now, limit, lease })

/** By default eight of each lane. */
const claimLanes = (kind: string, asked: Asked = {}) => lanesOf(kind, { room: 8, limit: 100, lease, ...asked })

/** How many jobs came from each lane. */
const byLane = (jobs: ReadonlyArray<Job.Job>) => {
  const counts: Record<string, number> = {}
  for (const { lane } of jobs) counts[String(lane)] = (counts[String(lane)] ?? 0) + 1
  return counts
}

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
    "a claimed job has everything it was created with, a lease, its first fence and no failure",
    Effect.gen(function* () {
      const one = job(fresh("env"), { payload: { text: "ü", number: 7, nothing: null }, runAt: noon - 5 })
      yield* add([one])
      assert.deepStrictEqual(yield* claim(one.kind), [{ ...one, leasedUntil: noon + lease, fence: 1, failures: 0 }])
    })
  ),
  promise(
    "due jobs come oldest first, within the limit, and only of the requested kinds",
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
      assert.deepStrictEqual(yield* (yield* JobStore).claim({ kinds: [], limit: 9, now: noon }), [])
    })
  ),
  promise(
    "concurrent claimers never get the same job",
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
    "a job whose lease expired is claimed again, with the next fence and no additional failure",
    Effect.gen(function* () {
      const { leased, one } = yield* claimedOne
      assert.deepStrictEqual(yield* claim(one.kind, leased.leasedUntil - 1), [])
      const [again] = yield* claim(one.kind, leased.leasedUntil)
      assert.deepStrictEqual(
        { key: again?.key, fence: again?.fence, failures: again?.failures, leasedUntil: again?.leasedUntil },
        { key: one.key, fence: 2, failures: 0, leasedUntil: leased.leasedUntil + lease }
      )
    })
  ),
  promise(
    "the oldest due job of a kind is found, with or without a gate, except jobs that are held or not due",
    Effect.gen(function* () {
      const store = yield* JobStore
      const environment = fresh("env")
      const [free, gated, held, later] = [freshKind(), freshKind(), freshKind(), freshKind()]
      yield* add([
        job(environment, { kind: free, runAt: noon - 5_000 }),
        job(environment, { kind: free, runAt: noon - 9_000 }),
        job(environment, { kind: gated, lane: fresh("lane"), runAt: noon - 1 }),
        job(environment, { kind: held, runAt: noon }),
        job(environment, { kind: later, runAt: noon + 1 })
      ])
      yield* claim(held)
      const found = new Map((yield* store.overdue(noon)).map(({ kind, since }) => [kind, since]))
      assert.deepStrictEqual(
        [free, gated, held, later].map((kind) => found.get(kind)),
        [noon - 9_000, noon - 1, undefined, undefined]
      )
    })
  ),
  promise(
    "gates with a long overdue job are found, and gates whose jobs are held or not overdue are not",
    Effect.gen(function* () {
      const store = yield* JobStore
      const environment = fresh("env")
      const [old, held, recent] = [freshKind(), freshKind(), freshKind()]
      yield* add([
        job(environment, { kind: old, gate: old, lane: "b", runAt: noon - 60_000 }),
        job(environment, { kind: old, gate: old, runAt: noon + 60_000 }),
        job(environment, { kind: held, gate: held, runAt: noon - 60_000 }),
        job(environment, { kind: recent, gate: recent, runAt: noon - 59_999 })
      ])
      yield* claimGate(held)
      const found = yield* store.gatesDue(noon - 60_000)
      assert.deepStrictEqual(
        [old, held, recent].map((gate) => found.filter((each) => each === gate).length),
        [1, 0, 0]
      )
    })
  ),
  promise(
    "waiting jobs at a gate are counted for one environment, without held jobs, future jobs and other environments'",
    Effect.gen(function* () {
      const store = yield* JobStore
      const [environment, other, gate, empty] = [fresh("env"), fresh("env"), freshKind(), freshKind()]
      const waiting = (most = 10, now = noon) => store.waiting({ environment, gates: [gate, empty, gate], now, most })
      assert.deepStrictEqual(yield* waiting(), [])
      yield* add([
        job(environment, { gate, runAt: noon - 2 }),
        job(environment, { gate, lane: "b", runAt: noon - 9_000 }),
        job(environment, { gate, runAt: noon + 1 }),
        job(environment, { runAt: noon - 10_000 })
      ])
      yield* add([job(other, { gate, runAt: noon - 20_000 })])
      assert.deepStrictEqual(yield* waiting(), [{ gate, count: 2, since: noon - 9_000 }])
      assert.deepStrictEqual(
        (yield* waiting(1)).map(({ count }) => count),
        [1]
      )
      assert.deepStrictEqual(yield* waiting(10, noon + 1), [{ gate, count: 3, since: noon - 9_000 }])
      assert.deepStrictEqual(
        yield* store.waiting({ environment: fresh("env"), gates: [gate], now: noon, most: 10 }),
        []
      )
    })
  ),
  promise(
    "completing removes a job once",
    Effect.gen(function* () {
      const { jobs, leased, one } = yield* claimedOne
      assert.isTrue(yield* jobs.complete(leased))
      assert.isFalse(yield* jobs.complete(leased))
      assert.deepStrictEqual(yield* claim(one.kind, noon + 1e9), [])
      assert.isNull(yield* jobs.nextRunAt([one.kind]))
    })
  ),
  promise(
    "when many workers complete one lease concurrently, one succeeds",
    Effect.gen(function* () {
      const { jobs, leased } = yield* claimedOne
      const race = yield* Race.together(30, () => jobs.complete(leased))
      assert.strictEqual(race.successes.filter((done) => done).length, 1)
      assert.strictEqual(race.successes.length, 30)
    })
  ),
  promise(
    "a worker that lost the lease changes nothing",
    Effect.gen(function* () {
      const { jobs, leased: stale, one } = yield* claimedOne
      const [current] = yield* claim(one.kind, stale.leasedUntil)
      assert.isFalse(yield* jobs.complete(stale))
      assert.isFalse(yield* jobs.retry(stale, { runAt: noon, reason: "late", failures: 1 }))
      assert.isFalse(yield* jobs.bury(stale, noon, "late"))
      yield* add([], stale)
      assert.strictEqual(yield* jobs.nextRunAt([one.kind]), current?.leasedUntil)
      assert.isTrue(yield* jobs.complete(current!))
    })
  ),
  promise(
    "a released job runs again at the requested time",
    Effect.gen(function* () {
      const { jobs, leased, one } = yield* claimedOne
      assert.isTrue(yield* jobs.retry(leased, { runAt: noon + 60_000, reason: "provider is down", failures: 1 }))
      assert.strictEqual(yield* jobs.nextRunAt([one.kind]), noon + 60_000)
      assert.deepStrictEqual(yield* claim(one.kind, noon + 59_999), [])
      assert.strictEqual((yield* claim(one.kind, noon + 60_000))[0]?.fence, 2)
    })
  ),
  promise(
    "only a reported failure counts as a failure, not a claim, an expired lease or a release",
    Effect.gen(function* () {
      const { jobs, leased, one } = yield* claimedOne
      const again = Effect.fnUntraced(function* (job: Job.LeasedJob, failures: number) {
        // A repeated retry, as after a lost answer, counts once.
        for (const _ of [1, 2]) assert.isTrue(yield* jobs.retry(job, { runAt: noon, reason: "again", failures }))
        const [next] = yield* claim(one.kind)
        return next!
      })
      const numbers = ({ failures, fence }: Job.LeasedJob) => ({ failures, fence })
      const second = yield* again(leased, 0)
      assert.deepStrictEqual(numbers(second), { failures: 0, fence: 2 })
      const third = yield* again(second, 1)
      assert.deepStrictEqual(numbers(third), { failures: 1, fence: 3 })
      const [fourth] = yield* claim(one.kind, third.leasedUntil)
      assert.deepStrictEqual(numbers(fourth!), { failures: 1, fence: 4 })
      const fifth = yield* again(fourth!, 2)
      assert.deepStrictEqual(numbers(fifth), { failures: 2, fence: 5 })
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
      assert.isFalse(yield* jobs.retry(leased, { runAt: noon, reason: "no", failures: 0 }))
      yield* add([{ ...one, runAt: noon }])
      assert.deepStrictEqual(yield* claim(one.kind, noon + 1e9), [])
    })
  ),
  promise(
    "a job committed with a lease is not claimed before the lease ends",
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const leased: Job.LeasedJob = { ...job(fresh("env")), leasedUntil: noon + lease, fence: 1, failures: 0 }
      yield* add([leased])
      assert.deepStrictEqual(yield* claim(leased.kind, noon + lease - 1), [])
      assert.strictEqual(yield* jobs.nextRunAt([leased.kind]), noon + lease)
      const [taken] = yield* claim(leased.kind, noon + lease)
      assert.strictEqual(taken?.fence, 2)
      assert.isFalse(yield* jobs.complete(leased))
      assert.isTrue(yield* jobs.complete(taken!))
    })
  ),
  promise(
    "the holder of a job committed with a lease can complete it",
    Effect.gen(function* () {
      const leased: Job.LeasedJob = { ...job(fresh("env")), leasedUntil: noon + lease, fence: 1, failures: 0 }
      yield* add([leased])
      assert.isTrue(yield* (yield* JobStore).complete(leased))
    })
  ),
  promise(
    "adding a job under an existing key changes nothing",
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
    "a commit ends its own job, and may add it again",
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
    "a commit that conflicts leaves its job in place",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const { jobs, leased } = yield* claimedOne
      const moved = { ...Subject.empty(fresh("env"), "91"), version: 4 }
      yield* Effect.flip(store.commit(change(moved, { done: leased })))
      assert.isTrue(yield* jobs.complete(leased))
    })
  ),
  promise(
    "the next due time is that of the earliest job, including leased jobs",
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
    "a job released with a new payload runs with that payload, and otherwise with its own",
    Effect.gen(function* () {
      const { jobs, leased, one } = yield* claimedOne
      const payload = { since: 5, text: "ü\u0000\ud83d\ude00", nothing: null }
      assert.isTrue(yield* jobs.retry(leased, { runAt: noon, reason: "goes on", failures: 0, payload }))
      const [second] = yield* claim(one.kind)
      assert.deepStrictEqual(second?.payload, payload)
      assert.isTrue(yield* jobs.retry(second!, { runAt: noon, reason: "goes on", failures: 0 }))
      const [third] = yield* claim(one.kind)
      assert.deepStrictEqual(third?.payload, payload)
      assert.isFalse(yield* jobs.retry(second!, { runAt: noon, reason: "late", failures: 0, payload: { since: 0 } }))
      assert.isTrue(yield* jobs.retry(third!, { runAt: noon, reason: "goes on", failures: 0, payload: {} }))
      assert.deepStrictEqual((yield* claim(one.kind))[0]?.payload, {})
    })
  ),
  promise(
    "jobs at a gate are claimed only by callers that name the gate, and these get no other jobs",
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const environment = fresh("env")
      const kind = freshKind()
      const inLane = job(environment, { kind, lane: fresh("lane"), payload: { text: "ü" } })
      const other = job(environment, { kind, runAt: noon + 3 })
      yield* add([inLane, other])
      assert.strictEqual(yield* jobs.nextRunAt([kind]), other.runAt)
      assert.deepStrictEqual(yield* claim(kind), [])
      assert.deepStrictEqual(yield* claimLanes(kind, { now: noon - 1 }), [])
      assert.deepStrictEqual(yield* claimLanes(freshKind()), [])
      assert.deepStrictEqual(yield* claimLanes(kind, { kinds: [] }), [])
      assert.deepStrictEqual(yield* claimLanes(kind), [{ ...inLane, leasedUntil: noon + lease, fence: 1, failures: 0 }])
      assert.deepStrictEqual(yield* claimLanes(kind, { now: other.runAt }), [])
      assert.deepStrictEqual(yield* claim(kind, other.runAt), [
        { ...other, leasedUntil: other.runAt + lease, fence: 1, failures: 0 }
      ])
      assert.strictEqual(yield* jobs.nextRunAt([kind]), other.runAt + lease)
    })
  ),
  promise(
    "each lane gives its oldest jobs, up to its room, which may be zero",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const [usual, wide, narrow, full] = [fresh("lane"), fresh("lane"), fresh("lane"), fresh("lane")]
      const rooms = [
        { lane: wide, room: 32 },
        { lane: full, room: 0 },
        { lane: narrow, room: 1 },
        { lane: fresh("elsewhere"), room: 5 }
      ]
      const made = [usual, wide, narrow, full].flatMap((lane) =>
        Array.from({ length: 10 }, (_, age) => job(environment, { kind, lane, runAt: noon - age }))
      )
      yield* add(made)
      const first = yield* claimLanes(kind, { room: 3, rooms })
      assert.deepStrictEqual(byLane(first), { [usual]: 3, [wide]: 10, [narrow]: 1 })
      const ages = (lane: string, jobs: ReadonlyArray<Job.Job>) =>
        jobs.filter((one) => one.lane === lane).map(({ runAt }) => noon - runAt)
      assert.deepStrictEqual(ages(usual, first), [9, 8, 7])
      assert.deepStrictEqual(ages(narrow, first), [9])
      const second = yield* claimLanes(kind, { room: 0, rooms: [{ lane: usual, room: 100 }] })
      assert.deepStrictEqual(ages(usual, second), [6, 5, 4, 3, 2, 1, 0])
      assert.deepStrictEqual(byLane(second), { [usual]: 7 })
      assert.deepStrictEqual(byLane(yield* claimLanes(kind, { room: 100 })), { [narrow]: 9, [full]: 10 })
    })
  ),
  promise(
    "all lanes together give the oldest jobs, up to the requested limit",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const lanes = Array.from({ length: 5 }, () => fresh("lane"))
      // Ages 0 to 49, dealt in turn: each lane's oldest jobs are among the oldest of all.
      yield* add(
        Array.from({ length: 50 }, (_, age) => job(environment, { kind, lane: lanes[age % 5]!, runAt: noon - age }))
      )
      const ages = (jobs: ReadonlyArray<Job.Job>) => jobs.map(({ runAt }) => noon - runAt)
      assert.deepStrictEqual(ages(yield* claimLanes(kind, { limit: 7 })), [49, 48, 47, 46, 45, 44, 43])
      assert.deepStrictEqual(ages(yield* claimLanes(kind, { limit: 8, room: 1 })), [42, 41, 40, 39, 38])
      assert.strictEqual((yield* claimLanes(kind, { limit: 100, room: 100 })).length, 38)
    })
  ),
  promise(
    "a lease on a job in a lane expires like any other, and buried jobs stay buried",
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const kind = freshKind()
      const environment = fresh("env")
      const lane = fresh("lane")
      const leased: Job.LeasedJob = {
        ...job(environment, { kind, lane }),
        leasedUntil: noon + lease,
        fence: 1,
        failures: 0
      }
      const waiting = job(environment, { kind, lane, runAt: noon - 5 })
      yield* add([leased, waiting])
      const [taken] = yield* claimLanes(kind)
      assert.strictEqual(taken?.key, waiting.key)
      assert.deepStrictEqual(yield* claimLanes(kind, { now: noon + lease - 1 }), [])
      const again = yield* claimLanes(kind, { now: noon + lease })
      assert.deepStrictEqual(Object.fromEntries(again.map(({ fence, key }) => [key, fence])), {
        [leased.key]: 2,
        [waiting.key]: 2
      })
      assert.isFalse(yield* jobs.complete(leased))
      const mine = again.find(({ key }) => key === leased.key)!
      const dead = again.find(({ key }) => key === waiting.key)!
      assert.isTrue(yield* jobs.bury(dead, noon, "refused for good"))
      assert.isTrue(yield* jobs.retry(mine, { runAt: noon + 60_000, reason: "busy", failures: 0 }))
      assert.deepStrictEqual(yield* claimLanes(kind, { now: noon + 59_999 }), [])
      const late = yield* claimLanes(kind, { now: noon + 1e9 })
      assert.deepStrictEqual(
        late.map(({ fence, key }) => [key, fence]),
        [[leased.key, 3]]
      )
      assert.isNull(yield* jobs.nextRunAt([kind]))
      assert.isTrue(yield* jobs.complete(late[0]!))
      assert.deepStrictEqual(yield* claimLanes(kind, { now: noon + 1e9 + lease }), [])
    })
  ),
  promise(
    "many claimers empty many lanes: no job twice, none left over, no lane above its room",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const lanes = Array.from({ length: 40 }, () => fresh("lane"))
      yield* add(lanes.flatMap((lane) => Array.from({ length: 25 }, () => job(environment, { kind, lane }))))
      const widest = { lane: lanes[0]!, room: 12 }
      const claimed: Array<ReadonlyArray<Job.LeasedJob>> = []
      const claimer = Effect.gen(function* () {
        for (let empty = 0; empty < 3; ) {
          const jobs = yield* claimLanes(kind, { limit: 64, rooms: [widest] })
          claimed.push(jobs)
          empty = jobs.length === 0 ? empty + 1 : 0
        }
      })
      const race = yield* Race.together(8, () => claimer)
      assert.deepStrictEqual(race.failures, [])
      // A claimer that finds all rows locked gets nothing, so some jobs may be left.
      for (let rest = yield* claimLanes(kind); rest.length > 0; rest = yield* claimLanes(kind)) claimed.push(rest)
      const all = claimed.flat()
      assert.strictEqual(all.length, 1_000)
      assert.strictEqual(new Set(all.map(({ key }) => key)).size, 1_000)
      assert.isTrue(all.every(({ fence }) => fence === 1))
      for (const jobs of claimed) {
        for (const [lane, count] of Object.entries(byLane(jobs))) assert.isAtMost(count, lane === widest.lane ? 12 : 8)
      }
    })
  ),
  promise(
    "a lane with several environments stays within its room, and the environments take turns",
    Effect.gen(function* () {
      const kind = freshKind()
      const [one, other] = [fresh("env"), fresh("env")]
      const lane = fresh("lane")
      yield* add(
        [one, one, one, one, other].map((environment, index) =>
          job(environment, { kind, lane, runAt: noon - 100 + index })
        )
      )
      const claimed = yield* claimLanes(kind, { rooms: [{ lane, room: 3 }] })
      assert.sameMembers(
        claimed.map(({ environment }) => environment),
        [one, one, other]
      )
    })
  ),
  promise(
    "a full lane never delays another lane",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const crowded = fresh("lane")
      const others = Array.from({ length: 5 }, () => fresh("lane"))
      const waiting = Array.from({ length: 2_000 }, (_, index) =>
        job(environment, { kind, lane: crowded, runAt: noon - 20_000 + index })
      )
      yield* add([...waiting, ...others.map((lane) => job(environment, { kind, lane })), job(environment, { kind })])
      const first = yield* claimLanes(kind, { limit: 64 })
      assert.deepStrictEqual(byLane(first), { [crowded]: 8, ...Object.fromEntries(others.map((lane) => [lane, 1])) })
      assert.strictEqual((yield* claim(kind)).length, 1)
      assert.strictEqual((yield* claimLanes(kind, { limit: 64, rooms: [{ lane: crowded, room: 0 }] })).length, 0)
    })
  ),
  promise(
    "lanes with similar names are different",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const alike = [
        "a",
        "A",
        "a ",
        " a",
        "á",
        "a\u0301",
        "a\\",
        "a'",
        "",
        "__proto__",
        "\u{1f600}",
        "{}",
        '"',
        "x".repeat(500)
      ]
      const lanes = alike.map((name) => `${environment}${name}`)
      yield* add(lanes.flatMap((lane) => [1, 2, 3].map(() => job(environment, { kind, lane }))))
      const rooms = lanes.map((lane, index) => ({ lane, room: index % 3 }))
      const expected = lanes.map((lane, index) => [lane, index % 3] as const).filter(([, count]) => count > 0)
      assert.deepStrictEqual(byLane(yield* claimLanes(kind, { rooms })), Object.fromEntries(expected))
    })
  ),
  promise(
    "a gate gives its oldest jobs up to its room, and returns when the next job falls due",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const gate = kind
      const made = [5, 1, 4, 2, 3].map((age) => job(environment, { kind, gate, runAt: noon - age }))
      yield* add([...made, job(environment, { kind, gate, runAt: noon + 7 })])
      assert.deepStrictEqual(yield* claim(kind), [])
      const first = yield* claimGate(gate, { limit: 2 })
      assert.deepStrictEqual(
        first.jobs.map(({ gate, lane, runAt }) => [gate, lane, noon - runAt]),
        [
          [gate, undefined, 5],
          [gate, undefined, 4]
        ]
      )
      assert.strictEqual((yield* claimGate(gate)).jobs.length, 3)
      assert.deepStrictEqual(yield* claimGate(gate), { jobs: [], next: noon + 7 })
      const last = yield* claimGate(gate, { now: noon + 7, lease: 60_000 })
      assert.strictEqual(last.jobs.length, 1)
      // A job falls due when its lease expires.
      assert.deepStrictEqual(yield* claimGate(gate, { now: noon + 7 }), { jobs: [], next: noon + 15_000 })
      assert.deepStrictEqual(yield* claimGate(fresh("gate"), { kinds: [kind] }), { jobs: [], next: null })
    })
  ),
  promise(
    "the next due time of a job is returned even when its lane has other due jobs and no room",
    Effect.gen(function* () {
      const [environment, kind, lane] = [fresh("env"), freshKind(), fresh("lane")]
      yield* add([
        job(environment, { kind, lane, runAt: noon - 1 }),
        job(environment, { kind, lane, runAt: noon + 5 }),
        job(environment, { kind, lane: fresh("lane"), runAt: noon + 9 })
      ])
      const full = { rooms: [{ lane, room: 0 }] }
      assert.deepStrictEqual(yield* claimGate(kind, full), { jobs: [], next: noon + 5 })
      assert.deepStrictEqual(yield* claimGate(kind, { ...full, now: noon + 5 }), { jobs: [], next: noon + 9 })
      assert.strictEqual((yield* claimGate(kind, { ...full, now: noon + 9 })).jobs.length, 1)
    })
  ),
  promise(
    "a large backlog at a gate keeps the same turns, rooms and order by age",
    Effect.gen(function* () {
      const kind = freshKind()
      const [crowd, newcomer] = [fresh("a_env"), fresh("b_env")]
      const [crowded, other] = [fresh("lane"), fresh("lane")]
      yield* add([
        ...Array.from({ length: 1_200 }, (_, age) => job(crowd, { kind, lane: crowded, runAt: noon - 1_000 - age })),
        ...[1, 2, 3].map((age) => job(crowd, { kind, lane: other, runAt: noon - age })),
        ...[1, 2, 3].map((age) => job(newcomer, { kind, lane: newcomer, runAt: noon - age })),
        job(newcomer, { kind, lane: fresh("lane"), runAt: noon + 5 })
      ])
      const first = yield* claimGate(kind, { limit: 12, room: 8 })
      assert.deepStrictEqual(byLane(first.jobs), { [crowded]: 8, [other]: 1, [newcomer]: 3 })
      assert.strictEqual(first.next, noon + 5)
      const second = yield* claimGate(kind, { limit: 12, rooms: [{ lane: crowded, room: 0 }] })
      assert.deepStrictEqual(byLane(second.jobs), { [other]: 2 })
    })
  ),
  promise(
    "a claim covers many gates, and each gives jobs up to its room",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const gates = ["a", "b", "c", "d"].map((name) => `${kind}_${name}`)
      yield* add(gates.flatMap((gate) => [1, 2, 3, 4, 5].map(() => job(environment, { kind, gate }))))
      const room = { free: 100, share: null, held: [], room: 100, rooms: [] }
      const { jobs } = yield* (yield* JobStore).claimGates({
        kinds: [{ kind, lease }],
        now: noon,
        gates: gates.slice(0, 3).map((gate, index) => ({ gate, limit: 1 + 2 * index, ...room }))
      })
      const counts = gates.map((gate) => jobs.filter((one) => one.gate === gate).length)
      assert.deepStrictEqual(counts, [1, 3, 5, 0])
      const none = { kinds: [{ kind, lease }], now: noon, gates: [] }
      assert.deepStrictEqual(yield* (yield* JobStore).claimGates(none), { jobs: [], next: null })
    })
  ),
  promise(
    "environments take turns: a huge backlog delays no other environment, and one that holds places waits",
    Effect.gen(function* () {
      const kind = freshKind()
      const [crowd, busy, newcomer] = [fresh("a_env"), fresh("b_env"), fresh("c_env")]
      const lanes = Array.from({ length: 200 }, () => fresh("lane"))
      const old = lanes.flatMap((lane) => [1, 2, 3, 4, 5].map(() => job(crowd, { kind, lane, runAt: noon - 9_000 })))
      const held = Array.from({ length: 20 }, (_, age) => job(busy, { kind, lane: busy, runAt: noon - 5_000 - age }))
      yield* add([
        ...old,
        ...held,
        ...[1, 2, 3].map((age) => job(newcomer, { kind, lane: newcomer, runAt: noon - age }))
      ])
      const claimed = yield* lanesOf(kind, { limit: 20, held: [{ environment: busy, held: 5 }] })
      const by = (environment: string) => claimed.filter((one) => one.environment === environment)
      // Three of the new environment, and the others until both hold equally many.
      assert.deepStrictEqual(
        [crowd, busy, newcomer].map((one) => by(one).length),
        [11, 6, 3]
      )
      assert.deepStrictEqual(
        by(busy).map(({ runAt }) => noon - runAt),
        [5_019, 5_018, 5_017, 5_016, 5_015, 5_014]
      )
    })
  ),
  promise(
    "an environment gets another place only while it holds fewer places than are free",
    Effect.gen(function* () {
      const kind = freshKind()
      const [one, other] = [fresh("env"), fresh("env")]
      yield* add(
        [one, other].flatMap((environment) => Array.from({ length: 60 }, () => job(environment, { kind, gate: kind })))
      )
      const count = (jobs: ReadonlyArray<Job.Job>) =>
        [one, other].map((name) => jobs.filter(({ environment }) => environment === name).length)
      // Each environment gets eleven of 32 places, and ten stay free for others.
      const both = yield* lanesOf(kind, { limit: 32, free: 32, share: 1 })
      assert.deepStrictEqual(count(both), [11, 11])
      const full = yield* lanesOf(kind, {
        limit: 10,
        free: 10,
        share: 1,
        held: [one, other].map((environment) => ({ environment, held: 11 }))
      })
      assert.deepStrictEqual(count(full), [0, 0])
      const half = yield* lanesOf(kind, { limit: 16, free: 16, share: 1, held: [{ environment: other, held: 40 }] })
      assert.deepStrictEqual(count(half), [8, 0])
      const twice = yield* lanesOf(kind, { limit: 30, free: 30, share: 2, held: [{ environment: other, held: 90 }] })
      assert.deepStrictEqual(count(twice), [20, 0])
    })
  ),
  promise(
    "a released job may move to another gate",
    Effect.gen(function* () {
      const { jobs, leased, one } = yield* claimedOne
      const [gate, other] = [fresh("gate"), fresh("gate")]
      const again = { runAt: noon, reason: "passes a gate", failures: 0 }
      const kinds = [one.kind]
      assert.isTrue(yield* jobs.retry(leased, { ...again, gate: { gate, lane: "otherwise" } }))
      assert.deepStrictEqual(yield* claim(one.kind), [])
      assert.deepStrictEqual(yield* lanesOf(gate, { kinds, rooms: [{ lane: "otherwise", room: 0 }] }), [])
      const [second] = yield* lanesOf(gate, { kinds, room: 0, rooms: [{ lane: "otherwise", room: 1 }] })
      assert.deepStrictEqual([second?.gate, second?.lane, second?.fence], [gate, "otherwise", 2])
      assert.isTrue(yield* jobs.retry(second!, { ...again, gate: { gate: other } }))
      assert.deepStrictEqual(yield* lanesOf(gate, { kinds }), [])
      assert.deepStrictEqual(yield* lanesOf(other, { kinds, rooms: [{ lane: "", room: 0 }] }), [])
      const [third] = yield* lanesOf(other, { kinds })
      assert.isFalse(third !== undefined && "lane" in third)
      assert.isTrue(yield* jobs.retry(third!, again))
      assert.strictEqual((yield* lanesOf(other, { kinds })).length, 1)
    })
  ),
  promise(
    "an obsolete job is removed, even while a worker holds it, unless it was buried",
    Effect.gen(function* () {
      const { jobs, leased, one } = yield* claimedOne
      const waiting = job(one.environment, { kind: one.kind })
      const buried = job(one.environment, { kind: one.kind })
      yield* add([waiting, { ...buried, leasedUntil: noon + lease, fence: 1, failures: 0 }])
      assert.isTrue(yield* jobs.bury({ key: buried.key, fence: 1 }, noon, "no use"))
      const held = Effect.forEach([waiting, leased, buried], ({ key }) => jobs.holds(key))
      assert.deepStrictEqual(yield* held, [true, true, false])
      const race = yield* Race.together(5, () => jobs.cancel(waiting.key))
      assert.strictEqual(race.successes.filter((removed) => removed).length, 1)
      assert.isTrue(yield* jobs.cancel(leased.key))
      assert.isFalse(yield* jobs.complete(leased))
      assert.deepStrictEqual(yield* held, [false, false, false])
      for (const key of [buried.key, fresh("nothing"), "", "\u0000", "\ud800"]) {
        assert.isFalse(yield* jobs.cancel(key))
        assert.isFalse(yield* jobs.holds(key))
      }
      assert.deepStrictEqual(yield* claim(one.kind, noon + 1e9), [])
    })
  ),
  promise(
    "jobs of a lane are counted up to a limit, and only those that wait for long can be brought forward",
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const [environment, kind, lane] = [fresh("env"), freshKind(), fresh("lane")]
      const late = job(environment, { kind, lane, runAt: noon + 100 })
      yield* add([
        late,
        job(environment, { kind, lane, runAt: noon + 50 }),
        job(environment, { kind, lane: fresh("lane"), runAt: noon + 100 }),
        job(fresh("env"), { kind, lane, runAt: noon + 100 })
      ])
      const hasten = { gate: kind, environment, lane, later: noon + 50, runAt: noon }
      assert.strictEqual(yield* jobs.hasten(hasten), 1)
      assert.strictEqual(yield* jobs.hasten(hasten), 0)
      const counted = (of: string, most: number) => jobs.inLane({ gate: kind, environment, lane: of, most })
      assert.deepStrictEqual(
        [
          yield* counted(lane, 9),
          yield* counted(lane, 1),
          yield* counted(fresh("lane"), 9),
          yield* counted("\u0000", 9)
        ],
        [2, 1, 0, 0]
      )
      assert.deepStrictEqual(
        (yield* lanesOf(kind)).map(({ key }) => key),
        [late.key]
      )
    })
  ),
  promise(
    "the jobs of a key, and of keys that continue it after a colon, run earlier, except those that run soon anyway",
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const [kind, environment, key] = [freshKind(), fresh("env"), fresh("key")]
      const at = (name: string, runAt: number) => ({ ...job(environment, { kind, runAt }), key: name })
      yield* add([at(key, noon + 100), at(`${key}:again`, noon + 100), at(`${key}2`, noon + 100)])
      const times = { later: noon + 50, runAt: noon }
      assert.deepStrictEqual(yield* jobs.hastenKey(key, times), { found: 2, moved: 2 })
      assert.deepStrictEqual(yield* jobs.hastenKey(key, times), { found: 2, moved: 0 })
      for (const absent of [fresh("key"), key.slice(0, -1), `${key}%`, "\u0000"])
        assert.deepStrictEqual(yield* jobs.hastenKey(absent, times), { found: 0, moved: 0 })
      const claimed = yield* claimFree(kind)
      assert.sameMembers(
        claimed.map((one) => one.key),
        [key, `${key}:again`]
      )
    })
  ),
  promise(
    "a job that becomes available wakes waiting workers",
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
