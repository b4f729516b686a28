import { assert } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { BenchCheck } from "./ChannelCheck.ts"
import { secretOf, describe, ended, only, reads, sentOf, stopped, trial } from "./trial.ts"

/** Slightly less than core waits for a channel. */
const almost = "9 seconds"

/** How a channel behaves while its provider does not answer. */
export const patienceChecks: ReadonlyArray<BenchCheck> = [
  [
    "while the provider is silent a send waits: it sends no second request and claims no outcome",
    (bench) =>
      Effect.gen(function* () {
        const { asked, message, provider, send, start } = yield* trial(bench)
        yield* provider.play("hanging")
        const silent = yield* start(yield* message(1))
        yield* asked(1)
        yield* TestClock.adjust(almost)
        // The first send would have acted before this second send completes.
        yield* provider.play("accepted")
        const next = yield* message(2)
        sentOf(yield* send(next))
        const answer = silent.pollUnsafe()
        if (answer !== undefined) {
          assert.match(
            describe(answer),
            /^OutcomeUnknown /,
            "a time-out of its own is OutcomeUnknown: core would have waited"
          )
        }
        const seen = yield* provider.seen
        assert.strictEqual(seen.length, 2, "a send asks the provider exactly once")
        assert.isTrue(reads(seen[1]!, secretOf(next)))
        yield* Fiber.interrupt(silent).pipe(Effect.forkChild({ startImmediately: true }))
      })
  ],
  [
    "a waiting send stops when it is interrupted",
    (bench) =>
      Effect.gen(function* () {
        const { asked, message, provider, start } = yield* trial(bench)
        yield* provider.play("hanging")
        const silent = yield* start(yield* message(1))
        yield* asked(1)
        yield* Effect.forkChild(Fiber.interrupt(silent), { startImmediately: true })
        const answer = yield* stopped(silent)
        assert.isTrue(Exit.hasInterrupts(answer), `an interrupted send has no outcome: ${describe(answer)}`)
        only(yield* provider.seen)
      })
  ],
  [
    "a send waits for a provider that answers within ten seconds",
    (bench) =>
      Effect.gen(function* () {
        const { asked, message, provider, start } = yield* trial(bench)
        yield* provider.play("slow")
        const sending = yield* start(yield* message(1))
        yield* asked(1)
        yield* TestClock.adjust(almost)
        const sent = sentOf(yield* ended(sending))
        const seen = only(yield* provider.seen)
        if (seen.providerId !== null) assert.strictEqual(sent.providerId, seen.providerId)
      })
  ]
]
