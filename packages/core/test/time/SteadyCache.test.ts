import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import * as SteadyCache from "../../src/foundation/time/SteadyCache.ts"

/** A cache that counts its loads. The key "broken" fails. */
const makeCounted = Effect.fnUntraced(function* (capacity = 10) {
  let loads = 0
  const cache = yield* SteadyCache.make(
    (key: string) =>
      Effect.suspend(() => {
        loads++
        return key === "broken" ? Effect.fail("unreachable") : Effect.succeed(`${key} ${loads}`)
      }),
    { capacity, timeToLive: (exit) => (Exit.isSuccess(exit) ? "3 seconds" : Duration.zero) }
  )
  return { cache, loads: () => loads }
})

describe("a cache in steady time", () => {
  it.effect("loads an entry once within its time to live, and again afterwards", () =>
    Effect.gen(function* () {
      const { cache } = yield* makeCounted()
      assert.strictEqual(yield* cache.get("a"), "a 1")
      yield* TestClock.adjust(2_999)
      assert.strictEqual(yield* cache.get("a"), "a 1")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* cache.get("a"), "a 2")
    })
  )

  it.effect("peeks at a fresh entry without loading, and sees none that is missing, expired or forgotten", () =>
    Effect.gen(function* () {
      const { cache, loads } = yield* makeCounted()
      assert.isUndefined(cache.peek("a"))
      yield* cache.get("a")
      assert.deepStrictEqual(cache.peek("a"), Exit.succeed("a 1"))
      yield* TestClock.adjust("3 seconds")
      assert.isUndefined(cache.peek("a"))
      yield* cache.get("a")
      yield* cache.forget("a")
      assert.isUndefined(cache.peek("a"))
      yield* cache.get("a")
      yield* cache.forgetAll
      assert.isUndefined(cache.peek("a"))
      assert.strictEqual(loads(), 3)
    })
  )

  it.effect("asks again each time the same effect runs", () =>
    Effect.gen(function* () {
      const { cache } = yield* makeCounted()
      const get = cache.get("a")
      assert.strictEqual(yield* get, "a 1")
      yield* cache.forget("a")
      assert.strictEqual(yield* get, "a 2")
    })
  )

  it.effect("keeps no failure", () =>
    Effect.gen(function* () {
      const { cache, loads } = yield* makeCounted()
      assert.strictEqual(yield* Effect.flip(cache.get("broken")), "unreachable")
      assert.isUndefined(cache.peek("broken"))
      yield* Effect.flip(cache.get("broken"))
      assert.strictEqual(loads(), 2)
    })
  )

  it.effect("loads once for callers that ask at the same time", () =>
    Effect.gen(function* () {
      const { cache, loads } = yield* makeCounted()
      yield* Effect.all([cache.get("a"), cache.get("a"), cache.get("a")], { concurrency: "unbounded" })
      assert.strictEqual(loads(), 1)
    })
  )

  it.effect("drops the entries that it loaded first when it is full", () =>
    Effect.gen(function* () {
      const { cache } = yield* makeCounted(2)
      yield* Effect.forEach(["a", "b", "c"], cache.get)
      assert.isUndefined(cache.peek("a"))
      assert.deepStrictEqual(cache.peek("b"), Exit.succeed("b 2"))
      assert.deepStrictEqual(cache.peek("c"), Exit.succeed("c 3"))
    })
  )
})
