import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { withStore } from "../fixtures/FaultyStore.ts"
import { recordingChannel } from "../fixtures/RecordingChannel.ts"
import { indian, makeStorage, makeWorld, otp, start, withSettings, type World } from "../fixtures/World.ts"

describe("a resend while the fallback job runs", () => {
  it.effect("gets its own fallback window", () =>
    Effect.gen(function* () {
      const sms = recordingChannel("SMS")
      const whatsapp = recordingChannel("WHATSAPP")
      let world: World | null = null
      let resent = false
      const again = Effect.suspend(() => {
        if (world === null || resent) return Effect.void
        resent = true
        return Effect.orDie(
          world.verifications.initiate(withSettings(world.live, { fallbackChannel: "WHATSAPP" }), otp(indian))
        )
      })
      const storage = withStore(yield* makeStorage, (store) => ({
        load: (environment, id) =>
          Effect.gen(function* () {
            const loaded = yield* store.load(environment, id)
            if (!resent && (yield* Clock.currentTimeMillis) >= start + 60_000) yield* again
            return loaded
          })
      }))
      world = yield* makeWorld({ storage, channels: [sms.channel, whatsapp.channel] })
      const live = withSettings(world.live, { fallbackChannel: "WHATSAPP" })
      yield* world.verifications.initiate(live, otp(indian))
      yield* TestClock.adjust("1 second")
      yield* world.receipts.record({
        reference: sms.received[0]!.reference,
        status: "DELIVERED",
        providerId: null,
        providerCode: null
      })
      yield* TestClock.adjust("4 minutes")
      assert.deepStrictEqual(
        [sms, whatsapp].map(({ received }) => received.map(({ at }) => (at - start) / 1000)),
        [[0, 60], [120]]
      )
    })
  )
})
