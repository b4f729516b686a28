import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeLook } from "../../src/foundation/outbox/folding.ts"

const second = 1_000

it.effect(
  "a folding pass ends in time for any number of environments, and the next pass continues after the last one",
  () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 50 }, (_, i) => `env_${String(i).padStart(2, "0")}`)
      const folded: Array<string> = []
      const look = makeLook(
        { environments: (kind) => Effect.succeed(kind === "a" ? all.toReversed() : []) },
        {
          kinds: ["a", "b"],
          foldSome: (_, environment) => {
            folded.push(environment)
            // One environment has endless facts.
            return Effect.as(Effect.sleep(second), environment === "env_00")
          }
        }
      )
      let after: string | null = null
      let looks = 0
      do {
        const began: number = yield* Clock.currentTimeMillis
        const running: Fiber.Fiber<string | null, unknown> = yield* Effect.forkChild(look(after), {
          startImmediately: true
        })
        while (running.pollUnsafe() === undefined) yield* TestClock.adjust(second)
        assert.isAtMost((yield* Clock.currentTimeMillis) - began, 6 * second)
        after = yield* Fiber.join(running)
        looks++
      } while (after !== null)
      assert.isAbove(looks, 2)
      assert.deepStrictEqual([...new Set(folded)], all)
      // Each environment occurs once per round, except the one with more than a page.
      assert.deepStrictEqual(folded.filter((environment) => environment !== "env_00").toSorted(), all.slice(1))
    })
)
