import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { begin, makeAppWorld } from "../fixtures/apps.ts"
import { indian, withSettings } from "../fixtures/World.ts"

const limitOf = (error: object) => ("limit" in error ? error.limit : error)

describe("the messages that apps have sent to one person in live", () => {
  it.effect("wait 15, 30, 60 and 120 seconds between resends, and are resent 5 times at most", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { maxResends: 0, sdkMessagesPerHour: 1000, codeExpirySeconds: 900 })
      const { verification } = yield* begin(w, app)
      const again = begin(w, app, { sessionId: verification.id })
      for (const seconds of [15, 30, 60, 120, 120]) {
        yield* TestClock.adjust(seconds * 1000 - 1)
        assert.strictEqual(limitOf(yield* Effect.flip(again)), "cooldown")
        yield* TestClock.adjust(1)
        yield* again
      }
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(limitOf(yield* Effect.flip(again)), "resends")
      const slow = withSettings(app, { resendCooldownSeconds: 200 })
      const other = yield* begin(w, slow)
      yield* TestClock.adjust("199 seconds")
      assert.strictEqual(limitOf(yield* Effect.flip(begin(w, slow, { sessionId: other.verification.id }))), "cooldown")
    })
  )

  it.effect("are at most sdkMessagesPerHour in any hour, across spellings, sessions and resends", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { sdkMessagesPerHour: 4 })
      const first = yield* begin(w, app, { phone: indian })
      yield* begin(w, app, { phone: "9876543210" })
      yield* TestClock.adjust("15 seconds")
      yield* begin(w, app, { phone: indian, sessionId: first.verification.id })
      yield* begin(w, app, { phone: "+919876543210" })
      yield* TestClock.adjust("30 seconds")
      for (const more of [{ phone: indian }, { phone: indian, sessionId: first.verification.id }]) {
        assert.deepInclude(yield* Effect.flip(begin(w, app, more)), { _tag: "RateLimited", limit: "messages" })
      }
      yield* begin(w, app, { phone: "9876543211" })
      yield* w.verifications.initiate(w.live, { identity: indian, identityType: "MOBILE", mode: "OTP" })
      yield* TestClock.adjust("1 hour")
      yield* begin(w, app, { phone: indian })
    })
  )

  it.effect("include the message of a fallback, which is counted from the start", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { sdkMessagesPerHour: 3, primaryChannel: "SMS", fallbackChannel: "WHATSAPP" })
      const test = withSettings(w.testApp, { fallbackChannel: "WHATSAPP" })
      assert.isNotNull((yield* begin(w, test)).verification.fallback)
      const places: Array<boolean> = []
      for (let n = 0; n < 2; n++) places.push((yield* begin(w, app)).verification.fallback !== null)
      assert.strictEqual(limitOf(yield* Effect.flip(begin(w, app))), "messages")
      // The hour has room for one more message, so the second verification has no fallback.
      assert.deepStrictEqual(places, [true, false])
    })
  )

  it.effect("are not limited in a test environment, where nothing is sent", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.testApp, { sdkMessagesPerHour: 1 })
      const { verification } = yield* begin(w, app)
      for (let n = 0; n < 8; n++) yield* begin(w, app, { sessionId: verification.id })
      yield* begin(w, app)
    })
  )
})

describe("the public key", () => {
  const noCountry = ["+881612345678", "+882161234567", "+870773123456", "+979112345678", "+883510012345"]

  it.effect("cannot send to a calling code without a country, unless the code is listed", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      for (const phone of noCountry) {
        for (const allowedCountries of [null, ["IN"], ["IN", "+888"]]) {
          const app = withSettings(w.app, { allowedCountries })
          assert.strictEqual((yield* Effect.flip(begin(w, app, { phone })))._tag, "DestinationForbidden", phone)
        }
        yield* begin(w, withSettings(w.app, { allowedCountries: ["IN", phone.slice(0, 4)] }), { phone })
      }
      const app = withSettings(w.app, { allowedCountries: ["+881"] })
      assert.strictEqual((yield* Effect.flip(begin(w, app, { phone: indian })))._tag, "DestinationForbidden")
    })
  )

  it.effect("cannot send to a premium-rate number, even where its country is allowed", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      for (const phone of ["+19005551234", "+449012345678"]) {
        for (const allowedCountries of [null, ["US", "GB"]]) {
          const app = withSettings(w.app, { allowedCountries })
          assert.strictEqual((yield* Effect.flip(begin(w, app, { phone })))._tag, "DestinationForbidden", phone)
        }
      }
      yield* begin(w, withSettings(w.app, { allowedCountries: null }), { phone: "+12015550123" })
    })
  )
})
