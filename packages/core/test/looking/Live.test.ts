import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Live } from "../../src/index.ts"
import { makeWorld } from "../fixtures/World.ts"

const make = Effect.gen(function* () {
  const world = yield* makeWorld({ idle: true })
  const live = Context.get(world.services, Live)
  const tagOf = Effect.match(live.listen(world.test, null), { onFailure: ({ _tag }) => _tag, onSuccess: () => "in" })
  return { ...world, live, tagOf }
})

describe("what moves", () => {
  it.effect("takes no place for whoever asks and does not read, and gives places back", () =>
    Effect.gen(function* () {
      const { live, tagOf, test } = yield* make
      yield* Effect.forEach(Array.from({ length: 30 }), () => live.listen(test, null), { discard: true })
      assert.strictEqual(yield* tagOf, "in")
      const reading = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.flatMap(live.listen(test, null), (items) => Effect.forkChild(Stream.runDrain(items)))
      )
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf, "TooManyListeners")
      yield* Fiber.interrupt(reading[0]!)
      assert.strictEqual(yield* tagOf, "in")
    })
  )
})
