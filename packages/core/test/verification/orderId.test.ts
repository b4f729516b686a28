import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { VerificationStore } from "../../src/index.storage.ts"
import { begin, enterIn, makeAppWorld } from "../fixtures/apps.ts"
import { indian, otp, withSettings } from "../fixtures/World.ts"

const victim = "+91 98765 43210"
const attacker = "+91 99999 00000"
const orderId = "order-1042"

describe("an orderId from an app", () => {
  it.effect("never makes the backend's orderId point to the app's verification", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const { verification: ours } = yield* w.verifications.initiate(w.live, otp(victim, { orderId }))
      const { verification: theirs } = yield* begin(w, w.app, { phone: attacker, orderId })
      const taken = yield* w.verifications.verify(w.live, { orderId, otp: w.codeOf(theirs) })
      assert.deepStrictEqual([taken._tag, taken.verification.id], ["WrongCode", ours.id])
      assert.strictEqual((yield* w.verifications.status(w.live, { orderId })).id, ours.id)
      const right = yield* w.verifications.verify(w.live, { orderId, otp: w.codeOf(ours) })
      assert.deepStrictEqual([right._tag, right.verification.identity.spelling], ["Verified", victim])
    })
  )

  it.effect("is unknown to the backend until the backend uses it, and is shown in status and events", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const session = yield* begin(w, w.app, { phone: attacker, orderId })
      yield* enterIn(w, w.app, session)
      const asked = w.verifications.status(w.live, { orderId })
      assert.strictEqual((yield* Effect.flip(asked))._tag, "UnknownVerification")
      const entered = w.verifications.verify(w.live, { orderId, otp: w.codeOf(session.verification) })
      assert.strictEqual((yield* Effect.flip(entered))._tag, "UnknownVerification")
      const shown = yield* w.verifications.status(w.live, { requestId: session.verification.id })
      assert.strictEqual(shown.orderId, orderId)
      assert.deepStrictEqual(
        (yield* w.events(w.live)).map(({ data, type }) => [type, "orderId" in data ? data.orderId : undefined]),
        [
          ["otp.initiated", orderId],
          ["otp.verified", orderId]
        ]
      )
    })
  )

  it.effect("is unknown after the app's resend or a trusted device's approval too", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const app = withSettings(w.app, { oneTap: true })
      const { verification: ours } = yield* w.verifications.initiate(w.live, otp(victim, { orderId }))
      const session = yield* begin(w, app, { phone: attacker })
      yield* TestClock.adjust("15 seconds")
      yield* begin(w, app, { phone: attacker, sessionId: session.verification.id, orderId })
      yield* enterIn(w, app, session, session.deviceToken)
      const approved = yield* begin(w, app, { phone: attacker, deviceToken: session.deviceToken, orderId })
      assert.isTrue(approved.oneTapApplied)
      assert.strictEqual((yield* w.verifications.status(w.live, { orderId })).id, ours.id)
    })
  )

  it.effect("does not let the backend find a verification that an app started", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const { verification } = yield* begin(w, w.app, { phone: indian })
      const store = Context.get(w.storage, VerificationStore)
      const loaded = yield* store.load(w.live.environment, verification.id)
      yield* store.commit({
        ...loaded!,
        orderId,
        deviceId: null,
        events: [],
        jobs: [],
        done: null,
        facts: [],
        folded: [],
        audited: [],
        booked: []
      })
      const verified = w.verifications.verify(w.live, { orderId, otp: w.codeOf(verification) })
      assert.strictEqual((yield* Effect.flip(verified))._tag, "UnknownVerification")
      assert.strictEqual((yield* Effect.flip(w.verifications.status(w.live, { orderId })))._tag, "UnknownVerification")
    })
  )
})
