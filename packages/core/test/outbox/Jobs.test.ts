import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { VerificationStore } from "../../src/index.storage.ts"
import { add, job, left, runner, unreachable, kind } from "../fixtures/jobs.ts"
import { makeStorage, start, until } from "../fixtures/World.ts"
import { JustCommitted } from "../../src/foundation/outbox/JustCommitted.ts"
import type { JobOutcome, Work } from "../../src/foundation/outbox/Jobs.ts"

const second = 1000
const completed: JobOutcome = { _tag: "Completed" }

/** A handler that records its calls, in seconds after the start. */
const noting = (then: (job: Work<unknown>) => Effect.Effect<JobOutcome, unknown> = () => Effect.succeed(completed)) => {
  const calls: Array<{
    readonly at: number
    readonly key: string
    readonly fence: number
    readonly known: number | undefined
  }> = []
  const handler = (job: Work<unknown>, fresh: JustCommitted) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      calls.push({
        at: (now - start) / second,
        key: job.key,
        fence: job.fence,
        known: fresh.of(VerificationStore)?.subject.version
      })
      return then(job)
    })
  return { calls, handler, times: () => calls.map(({ at }) => at) }
}

const begin = Effect.andThen(TestClock.setTime(start), makeStorage)

describe("jobs", () => {
  it.effect("run once, in one of two runners", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const one = noting(() => Effect.as(Effect.yieldNow, completed))
      const other = noting(() => Effect.as(Effect.yieldNow, completed))
      yield* (yield* runner(storage)).handle(kind, one.handler)
      yield* (yield* runner(storage)).handle(kind, other.handler)
      const names = Array.from({ length: 500 }, (_, i) => `job${i}`)
      yield* add(
        storage,
        names.map((name) => job(name))
      )
      yield* until(Effect.sync(() => one.calls.length + other.calls.length >= names.length))
      yield* TestClock.adjust("1 minute")
      const keys = [...one.calls, ...other.calls].map(({ key }) => key)
      assert.deepStrictEqual(keys.toSorted(), names.map((name) => `send:${name}`).toSorted())
      assert.isAbove(Math.min(one.calls.length, other.calls.length), 0)
      assert.strictEqual(yield* left(storage), null)
    })
  )

  it.effect("start when they are due, and due jobs start immediately", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { calls, handler } = noting()
      yield* (yield* runner(storage)).handle(kind, handler)
      yield* add(storage, [job("c", 2500), job("b", 1), job("a")])
      yield* until(Effect.sync(() => calls.length > 0))
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(
        calls.map(({ at, fence, key }) => [key, at, fence]),
        [
          ["send:a", 0, 1],
          ["send:b", 0.001, 1],
          ["send:c", 2.5, 1]
        ]
      )
    })
  )

  it.effect("run again when their handler asks for it", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { handler, times } = noting(({ fence }) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          fence < 4 ? { _tag: "Retry", runAt: now + fence * 7 * second, reason: "busy" } : completed
        )
      )
      yield* (yield* runner(storage)).handle(kind, handler)
      yield* add(storage, [job("a")])
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(times(), [0, 7, 21, 42])
      assert.strictEqual(yield* left(storage), null)
    })
  )

  it.effect("are buried when their handler asks for it", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { handler, times } = noting(() => Effect.succeed({ _tag: "Buried", reason: "no use" }))
      yield* (yield* runner(storage)).handle(kind, handler)
      yield* add(storage, [job("a")])
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual([times(), yield* left(storage)], [[0], null])
    })
  )

  it.effect.each([
    ["fails", Effect.fail("unexpected")],
    ["breaks", Effect.die(new Error("bug"))]
  ] as const)("whose handler %s are tried twenty times with growing delays, and then buried", ([_how, effect]) =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { handler, times } = noting(() => effect)
      yield* (yield* runner(storage)).handle(kind, handler)
      yield* add(storage, [job("a")])
      yield* TestClock.adjust("20 minutes")
      const expected = [0]
      for (let tries = 1; tries < 20; tries++) expected.push(expected.at(-1)! + Math.min(60, 2 ** tries))
      assert.deepStrictEqual(times(), expected)
      assert.strictEqual(yield* left(storage), null)
    })
  )

  it.effect("with many retries without failure count failures from zero", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const seen: Array<readonly [fence: number, failures: number]> = []
      const { handler, times } = noting(({ failures, fence }) => {
        seen.push([fence, failures])
        if (fence === 25) return Effect.fail("the storage is away")
        if (fence === 26) return Effect.succeed(completed)
        return Effect.map(Clock.currentTimeMillis, (now) => ({ _tag: "Later", runAt: now + second, reason: "busy" }))
      })
      yield* (yield* runner(storage)).handle(kind, handler)
      yield* add(storage, [job("a")])
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(times(), [...Array.from({ length: 25 }, (_, i) => i), 26])
      assert.deepStrictEqual(seen.slice(-3), [
        [24, 0],
        [25, 0],
        [26, 1]
      ])
      assert.strictEqual(yield* left(storage), null)
    })
  )

  it.effect("leased with their commit start immediately, with the state that was just committed", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { calls, handler } = noting()
      const jobs = yield* runner(storage)
      yield* jobs.handle(kind, handler)
      const leased = [{ ...job("now"), leasedUntil: start + 15 * second, fence: 1, failures: 0 }, job("later", 1)]
      yield* jobs.commit(
        [job("now"), job("later", 1)],
        (jobs) => {
          assert.deepStrictEqual(jobs, leased)
          return add(storage, jobs)
        },
        (stored) => JustCommitted.stored([], VerificationStore, stored)
      )
      yield* until(Effect.sync(() => calls.length > 0))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(calls, [
        { at: 0, key: "send:now", fence: 1, known: 1 },
        { at: 0.001, key: "send:later", fence: 1, known: undefined }
      ])
      assert.strictEqual(yield* left(storage), null)
    })
  )

  it.effect("without a handler in this process are left to others", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const idle = yield* runner(storage)
      yield* idle.commit([job("a")], (jobs) => {
        assert.deepStrictEqual(jobs, [job("a")])
        return add(storage, jobs)
      })
      yield* TestClock.adjust("30 seconds")
      const { handler, times } = noting()
      yield* (yield* runner(storage)).handle(kind, handler)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(times(), [30])
    })
  )

  it.effect("of a process that stopped in the middle move to another when the lease expires", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const scope = yield* Scope.make()
      const stuck = noting(() => Effect.never)
      yield* (yield* Scope.provide(runner(storage), scope)).handle(kind, stuck.handler)
      yield* add(storage, [job("a")])
      yield* until(Effect.sync(() => stuck.calls.length > 0))
      const { calls, handler } = noting()
      yield* (yield* runner(storage)).handle(kind, handler)
      const ending = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust("14999 millis")
      yield* Fiber.join(ending)
      assert.deepStrictEqual(calls, [])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(calls, [{ at: 15, key: "send:a", fence: 2, known: undefined }])
      assert.deepStrictEqual([stuck.times(), yield* left(storage)], [[0], null])
    })
  )

  it.effect("that outlive their lease are completed once, by the new holder", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const slow = noting(({ fence }) => Effect.as(Effect.sleep(fence === 1 ? "16 seconds" : "10 seconds"), completed))
      yield* (yield* runner(storage)).handle(kind, slow.handler)
      yield* add(storage, [job("a")])
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(
        slow.calls.map(({ at, fence }) => [at, fence]),
        [
          [0, 1],
          [15, 2]
        ]
      )
      assert.strictEqual(yield* left(storage), start + 30 * second)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* left(storage), null)
      assert.strictEqual(slow.calls.length, 2)
    })
  )

  it.effect("are claimed again when storage comes back", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { handler, times } = noting()
      yield* add(storage, [job("a")])
      yield* (yield* runner(unreachable(storage, 5))).handle(kind, handler)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(times().length, 1)
      assert.strictEqual(yield* left(storage), null)
    })
  )

  it.effect("are finished before a process stops, if possible", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const scope = yield* Scope.make()
      const slow = noting(() => Effect.as(Effect.sleep("5 seconds"), completed))
      yield* (yield* Scope.provide(runner(storage), scope)).handle(kind, slow.handler)
      yield* add(storage, [job("a")])
      yield* until(Effect.sync(() => slow.calls.length > 0))
      const ending = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* add(storage, [job("b")])
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(ending)
      assert.deepStrictEqual(
        slow.calls.map(({ key }) => key),
        ["send:a"]
      )
      assert.strictEqual(yield* left(storage), start)
    })
  )
})
