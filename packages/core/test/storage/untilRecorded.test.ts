import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { StoreError } from "../../src/index.storage.ts"
import { untilRecorded } from "../../src/foundation/storage/untilRecorded.ts"

const away = new StoreError({ operation: "commit", cause: "away", away: true })
const refused = new StoreError({ operation: "commit", cause: "refused" })

/** Starts a record that fails with `failure()` until it is null. */
const begin = (failure: () => StoreError | null) =>
  Effect.forkScoped(
    untilRecorded(
      Effect.suspend(() => {
        const error = failure()
        return error === null ? Effect.succeed("recorded") : Effect.fail(error)
      })
    ),
    { startImmediately: true }
  )

describe("recording a provider's answer", () => {
  it.effect("goes on for as long as storage is unreachable", () =>
    Effect.gen(function* () {
      let failure: StoreError | null = away
      const running = yield* begin(() => failure)
      yield* TestClock.adjust("1 hour")
      failure = null
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* Fiber.join(running), "recorded")
    })
  )

  it.effect("fails after storage has refused it for ten minutes in a row, not counting refusals before an outage", () =>
    Effect.gen(function* () {
      let failure: StoreError | null = refused
      const running = yield* begin(() => failure)
      yield* TestClock.adjust("9 minutes")
      failure = away
      yield* TestClock.adjust("5 minutes")
      failure = refused
      yield* TestClock.adjust("9 minutes")
      assert.isUndefined(running.pollUnsafe())
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(running.pollUnsafe(), Exit.fail(refused))
    })
  )
})
