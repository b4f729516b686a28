import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { recordingChannel } from "../fixtures/RecordingChannel.ts"
import { indian, makeProcess, makeWorld, otp } from "../fixtures/World.ts"

describe("a custom channel that is no longer configured", () => {
  it.effect("fails its waiting messages, although no process has its gate", () =>
    Effect.gen(function* () {
      const viber = recordingChannel("VIBER")
      const { live, storage, verifications } = yield* makeWorld({ channels: [viber.channel], idle: true })
      const { verification } = yield* verifications.initiate(live, otp(indian))
      assert.deepStrictEqual([verification.channel, verification.deliveries.length], ["VIBER", 1])
      const later = yield* makeProcess(storage, { channels: [] })
      yield* TestClock.adjust("2 minutes")
      yield* TestClock.adjust("1 second")
      const { deliveries, status, undeliverable } = yield* later.verifications.status(live, {
        requestId: verification.id
      })
      assert.deepStrictEqual(
        deliveries.map((delivery) => [delivery.channel, delivery.status, delivery.providerCode]),
        [["VIBER", "FAILED", "no_provider"]]
      )
      assert.deepStrictEqual([status, undeliverable, viber.received.length], ["FAILED", true, 0])
    })
  )
})
