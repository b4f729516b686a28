import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { Turns } from "../../src/foundation/storage/Turns.ts"

/**
 * The turn of key "a" is held by a running effect until the latch opens. `queue` starts another effect, which logs its
 * number.
 */
const held = Effect.gen(function* () {
  const turns = new Turns()
  const latch = yield* Latch.make()
  const holder = yield* Effect.forkChild(turns.run("a", latch.await), { startImmediately: true })
  const log: Array<number> = []
  const queue = (i: number, key = "a") =>
    Effect.forkChild(
      turns.run(
        key,
        Effect.sync(() => void log.push(i))
      ),
      { startImmediately: true }
    )
  return { turns, latch, holder, log, queue }
})

describe("Turns", () => {
  it.effect("runs effects of one key one at a time, in order of arrival", () =>
    Effect.gen(function* () {
      const turns = new Turns()
      let inside = 0
      const log: Array<number> = []
      yield* Effect.forEach(
        Array.from({ length: 50 }, (_, i) => i),
        (i) =>
          turns.run(
            "a",
            Effect.gen(function* () {
              assert.strictEqual(inside++, 0)
              yield* Effect.yieldNow
              yield* Effect.yieldNow
              log.push(i)
              inside--
            })
          ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        log,
        Array.from({ length: 50 }, (_, i) => i)
      )
    })
  )

  it.effect("runs effects of different keys concurrently", () =>
    Effect.gen(function* () {
      const { latch, log, queue } = yield* held
      const waiting = yield* queue(1)
      yield* Fiber.join(yield* queue(2, "b"))
      assert.deepStrictEqual(log, [2])
      yield* latch.open
      yield* Fiber.join(waiting)
      assert.deepStrictEqual(log, [2, 1])
    })
  )

  it.effect("runs the next effect after a failure and after a defect", () =>
    Effect.gen(function* () {
      const turns = new Turns()
      assert.strictEqual(yield* Effect.flip(turns.run("a", Effect.fail("no"))), "no")
      assert.strictEqual((yield* Effect.exit(turns.run("a", Effect.die("broken"))))._tag, "Failure")
      assert.strictEqual(yield* turns.run("a", Effect.succeed(1)), 1)
    })
  )

  it.effect("runs the next effect when the running one is interrupted", () =>
    Effect.gen(function* () {
      const { holder, log, queue } = yield* held
      const next = yield* queue(1)
      yield* Fiber.interrupt(holder)
      yield* Fiber.join(next)
      assert.deepStrictEqual(log, [1])
    })
  )

  it.effect("skips waiting effects that were interrupted", () =>
    Effect.gen(function* () {
      const { latch, log, queue, turns } = yield* held
      const waiting = yield* Effect.forEach([0, 1, 2, 3, 4], (i) => queue(i))
      for (const i of [0, 2, 4]) yield* Fiber.interrupt(waiting[i]!)
      yield* latch.open
      yield* Fiber.join(waiting[3]!)
      assert.deepStrictEqual(log, [1, 3])
      assert.strictEqual(yield* turns.run("a", Effect.succeed("free")), "free")
    })
  )

  it.effect("does not overflow the stack with a long queue", () =>
    Effect.gen(function* () {
      const { latch, log, queue } = yield* held
      const waiting = yield* Effect.forEach(
        Array.from({ length: 5_000 }, (_, i) => i),
        (i) => queue(i)
      )
      yield* latch.open
      yield* Fiber.joinAll(waiting)
      assert.strictEqual(log.length, 5_000)
    })
  )
})
