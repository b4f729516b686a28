import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Fiber, Scheduler } from "effect"
import { TestClock } from "effect/testing"
import { Job, JobStore, type Storage } from "../../src/index.storage.ts"
import { add, cutOff, job, jobIn, runner, unreachable, kind } from "../fixtures/jobs.ts"
import { makeStorage, start, until } from "../fixtures/World.ts"
import type { JobOutcome, Work } from "../../src/foundation/outbox/Jobs.ts"

const second = 1_000
const well: JobOutcome = { _tag: "Completed" }

const begin = Effect.andThen(TestClock.setTime(start), makeStorage)

/** A handler that records the start of each job, in seconds after the start. */
const noting = (then: (job: Work<unknown>) => Effect.Effect<JobOutcome, unknown> = () => Effect.succeed(well)) => {
  const calls: Array<{ readonly at: number; readonly key: string; readonly lane: string | undefined }> = []
  let running = 0
  let most = 0
  const handler = (job: Work<unknown>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      calls.push({ at: (now - start) / second, key: job.key, lane: job.lane })
      most = Math.max(most, ++running)
      return Effect.ensuring(
        then(job),
        Effect.sync(() => running--)
      )
    })
  return {
    calls,
    handler,
    most: () => most,
    /** The number of starts in each second. */
    perSecond: () => {
      const counts: Array<number> = []
      for (const { at } of calls) counts[Math.floor(at)] = (counts[Math.floor(at)] ?? 0) + 1
      return Array.from(counts, (count) => count ?? 0)
    }
  }
}

const many = (lane: string, count: number, later = 0) =>
  Array.from({ length: count }, (_, i) => jobIn(lane, String(i), later))

/** The number of unfinished jobs, in lanes or not. */
const waiting = (storage: Context.Context<Storage>) =>
  Effect.gen(function* () {
    const store = Context.get(storage, JobStore)
    const far = { kinds: [{ kind: "send", lease: 1 }], now: start + 1e12 }
    const all = { limit: 10_000, free: 10_000, share: null, held: [], room: 10_000, rooms: [] }
    const { jobs } = yield* store.claimGates({ ...far, gates: [{ gate: "receivers", ...all }] })
    return jobs.length + (yield* store.claim({ ...far, limit: 10_000 })).length
  })

const isLeased = (jobs: ReadonlyArray<Job.NewJob>) => jobs.filter(Job.isLeased).length

describe("the jobs in a lane", () => {
  it.effect("run wider with every success, up to 64 concurrently", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { handler, most, perSecond } = noting(() => Effect.as(Effect.sleep("1 second"), well))
      yield* (yield* runner(storage)).handle(kind, handler)
      yield* add(storage, many("a", 8 + 16 + 32 + 2 * 64))
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(perSecond(), [8, 16, 32, 64, 64])
      assert.strictEqual(most(), 64)
      assert.strictEqual(yield* waiting(storage), 0)
    })
  )

  it.effect.each([
    ["fails", Effect.fail("no")],
    ["breaks", Effect.die(new Error("bug"))],
    ["asks for another time", Effect.succeed<JobOutcome>({ _tag: "Retry", runAt: start + 1e9, reason: "busy" })],
    ["gives up", Effect.succeed<JobOutcome>({ _tag: "Buried", reason: "no use" })],
    ["went badly", Effect.succeed<JobOutcome>({ _tag: "Committed", badly: true })]
  ] as const)("run one at a time after work that %s, and never stop", ([_how, outcome]) =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { handler, perSecond } = noting(() => Effect.andThen(Effect.sleep("1 second"), outcome))
      const jobs = yield* cutOff(storage)
      yield* jobs.handle(kind, handler)
      yield* add(storage, many("a", 20))
      yield* TestClock.adjust("5500 millis")
      assert.deepStrictEqual(perSecond(), [8, 1, 1, 1, 1, 1])
      yield* jobs.end
    })
  )

  it.effect("that wait continue without waiting for the next poll, however many there are", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const store = Context.get(storage, JobStore)
      // Work ends during a claim, as with a remote database.
      const remote = JobStore.of({
        ...store,
        claimGates: (claim) => Effect.tap(store.claimGates(claim), () => Effect.sleep("5 millis"))
      })
      const { calls, handler } = noting(() => Effect.as(Effect.sleep("2 millis"), well))
      yield* add(storage, many("a", 1_000))
      yield* (yield* runner(Context.add(storage, JobStore, remote))).handle(kind, handler)
      yield* TestClock.adjust("900 millis")
      assert.strictEqual(calls.length, 1_000)
    })
  )

  it.effect("of a receiver that hangs delay no other lane, neither waiting jobs nor new ones", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { calls, handler } = noting(({ lane }) => (lane?.startsWith("sick") ? Effect.never : Effect.succeed(well)))
      const jobs = yield* cutOff(storage)
      yield* add(storage, [...many("sick", 10_000), ...many("healthy", 100), job("neither")])
      yield* jobs.handle(kind, handler)
      yield* until(Effect.sync(() => calls.length === 109))
      yield* jobs.commit([...many("sick2", 100), ...many("late", 8)], (work) => {
        assert.strictEqual(isLeased(work), 16)
        return add(storage, work)
      })
      yield* until(Effect.sync(() => calls.length === 125))
      assert.deepStrictEqual(new Set(calls.map(({ at }) => at)), new Set([0]))
      const of = (name: string) => calls.filter(({ lane }) => lane === name).length
      assert.deepStrictEqual(["sick", "healthy", "sick2", "late"].map(of), [8, 100, 8, 8])
      yield* jobs.end
    })
  )

  it.effect("run at most 256 concurrently in all lanes, and the next starts when one ends", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { calls, handler, most } = noting(() => Effect.as(Effect.sleep("3 seconds"), well))
      const jobs = yield* runner(storage)
      yield* jobs.handle(kind, handler)
      const work = Array.from({ length: 60 }, (_, i) => many(`lane${i}`, 8)).flat()
      yield* jobs.commit(work, (work) => {
        assert.strictEqual(isLeased(work), 256)
        return add(storage, work)
      })
      yield* jobs.commit([job("in no lane")], (work) => {
        assert.strictEqual(isLeased(work), 1)
        return add(storage, work)
      })
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(
        [0, 3].map((second) => calls.filter(({ at }) => at === second).length),
        [257, 480 - 256]
      )
      assert.strictEqual(most(), 257)
      assert.strictEqual(yield* waiting(storage), 0)
    })
  )

  it.effect("move to another process when the lease of a stopped process expires", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const stuck = noting(() => Effect.never)
      const dying = yield* cutOff(storage)
      yield* dying.handle(kind, stuck.handler)
      yield* dying.commit([jobIn("a", "1")], (work) => add(storage, work))
      yield* until(Effect.sync(() => stuck.calls.length > 0))
      const { calls, handler } = noting()
      yield* (yield* runner(storage)).handle(kind, handler)
      yield* dying.end
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(calls, [{ at: 15, key: "send:a:1", lane: "a" }])
    })
  )

  it.effect("run once in one of two processes, and both share the width of the lane", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const running = new Map<string, number>()
      let widestYet = 0
      const handlerOf = () =>
        noting(({ lane = "" }) =>
          Effect.gen(function* () {
            running.set(lane, (running.get(lane) ?? 0) + 1)
            widestYet = Math.max(widestYet, running.get(lane)!)
            yield* Effect.sleep("10 millis")
            running.set(lane, running.get(lane)! - 1)
            return well
          })
        )
      const [one, other] = [handlerOf(), handlerOf()]
      yield* (yield* runner(storage)).handle(kind, one.handler)
      yield* (yield* runner(storage)).handle(kind, other.handler)
      const work = Array.from({ length: 20 }, (_, i) => many(`lane${i}`, 100)).flat()
      yield* add(storage, work)
      yield* TestClock.adjust("30 seconds")
      const done = [...one.calls, ...other.calls].map(({ key }) => key)
      assert.deepStrictEqual(done.toSorted(), work.map(({ key }) => key).toSorted())
      assert.isAbove(Math.min(one.calls.length, other.calls.length), 0)
      assert.isAtMost(widestYet, 64)
      assert.strictEqual(yield* waiting(storage), 0)
    })
  )
})

describe("the places for jobs", () => {
  /** Fills every place, and returns their number. */
  const places = Effect.fnUntraced(function* (jobs: Effect.Success<ReturnType<typeof runner>>) {
    let count = 0
    const work = Array.from({ length: 40 }, (_, i) => many(`lane${i}`, 8)).flat()
    const free = Array.from({ length: 600 }, (_, i) => job(String(i)))
    yield* Effect.ignore(
      jobs.commit([...work, ...free], (ready) => {
        count = isLeased(ready)
        return Effect.fail("the storage is away")
      })
    )
    return count
  })
  const all = 256 + 512

  it.effect("are released by a commit that fails, throws, or is interrupted", () =>
    Effect.gen(function* () {
      const jobs = yield* runner(yield* begin)
      yield* jobs.handle(kind, () => Effect.succeed(well))
      assert.strictEqual(yield* places(jobs), all)
      assert.strictEqual(yield* places(jobs), all)
      yield* Effect.exit(jobs.commit(many("lane0", 8), () => Effect.die(new Error("bug"))))
      const broken = yield* Effect.exit(
        jobs.commit(many("lane0", 8), () => {
          throw new Error("bug")
        })
      )
      assert.isTrue(Exit.isFailure(broken))
      const fiber = yield* Effect.forkChild(jobs.commit(many("lane0", 8), () => Effect.never))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* places(jobs), all)
    })
  )

  it.effect("are released at any point at which a commit is interrupted", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const jobs = yield* runner(storage)
      yield* jobs.handle(kind, () => Effect.succeed(well))
      // The fiber yields after every `operations` operations, so that an interruption hits each gap.
      for (const operations of [2, 3, 4, 5]) {
        for (let steps = 0; steps < 40; steps++) {
          const name = `${operations} ${steps}`
          const fiber = yield* jobs
            .commit([jobIn("lane0", name), job(name)], () => Effect.yieldNow)
            .pipe(
              Effect.provideService(Scheduler.MaxOpsBeforeYield, operations),
              Effect.forkChild({ startImmediately: true })
            )
          for (let i = 0; i < steps; i++) yield* Effect.yieldNow
          yield* Fiber.interrupt(fiber)
        }
      }
      yield* TestClock.adjust("1 minute")
      // The committed jobs succeeded and widened their lane, but the total is unchanged.
      assert.strictEqual(yield* places(jobs), all)
    })
  )

  it.effect.each([
    ["fails", () => Effect.fail("no")],
    ["breaks", () => Effect.die(new Error("bug"))],
    ["is interrupted", () => Effect.interrupt],
    [
      "is no effect at all",
      (): Effect.Effect<JobOutcome> => {
        throw new Error("bug")
      }
    ]
  ] as const)("are released by a handler that %s", ([_how, handler]) =>
    Effect.gen(function* () {
      const storage = yield* begin
      const jobs = yield* runner(storage)
      yield* jobs.handle(kind, handler)
      for (let i = 0; i < 3; i++) {
        yield* jobs.commit([...many(`first${i}`, 8), job(String(i))], () => Effect.void)
        yield* TestClock.adjust("1 second")
      }
      assert.strictEqual(yield* places(jobs), all)
    })
  )
})

describe("claiming jobs", () => {
  it.effect("continues after storage failed with a defect", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { calls, handler } = noting()
      yield* add(storage, [job("a"), jobIn("b", "b")])
      yield* (yield* runner(unreachable(storage, 6, Effect.die(new Error("bug"))))).handle(kind, handler)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(calls.length, 2)
    })
  )
})
