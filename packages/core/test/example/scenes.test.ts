import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { scenesOf } from "../../src/data/example/scenes.ts"
import { Identity } from "../../src/index.ts"

const noon = Date.parse("2026-01-31T12:00:00Z")
const hour = 3_600_000

/** Number ranges reserved for films, a counter in a round-number range elsewhere, and a reserved domain. */
const nobodys =
  /^(\+120255501\d\d|\+442079460\d{3}|\+6149157\d{4}|\+3363998\d{4}|\+4917139200\d\d|\+919999900\d{3}|[a-z]+\.\d\d@example\.com)$/

describe("the scenes of the example day", () => {
  it.effect("are the same for the same seed, shifted with the end of the day, and differ for another seed", () =>
    Effect.gen(function* () {
      const scenes = yield* scenesOf(1, noon)
      assert.deepStrictEqual(yield* scenesOf(1, noon), scenes)
      assert.notDeepEqual(yield* scenesOf(2, noon), scenes)
    })
  )

  it.effect("use people who do not exist, in order, within a day and the same day a week before", () =>
    Effect.gen(function* () {
      for (let seed = 1; seed <= 5; seed++) {
        let before = 0
        for (const scene of yield* scenesOf(seed, noon)) {
          const { at, who } = scene
          assert.isTrue(at >= before && Number.isInteger(at))
          before = at
          const age = noon - at
          assert.isTrue((age >= 0 && age <= 24 * hour) || (age >= 168 * hour && age <= 192 * hour))
          assert.match(who.identity, nobodys)
          assert.isTrue(Result.isSuccess(Identity.parse(who.type, who.identity)), who.identity)
          const isNumber = who.type === "MOBILE"
          assert.strictEqual(isNumber, Identity.countryOf(who.identity.slice(1)) !== null, who.identity)
          if (scene._tag === "Visit") assert.strictEqual(who.type === "EMAIL", scene.channel === "EMAIL")
        }
      }
    })
  )
})
