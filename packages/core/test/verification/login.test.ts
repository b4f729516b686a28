import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, TryIt, type Verification } from "../../src/index.ts"
import { ask, login } from "../fixtures/logins.ts"
import { indian, makeWorld, otp, start, type World, withSettings, wrong } from "../fixtures/World.ts"

const minute = 60_000

const signIn = ({ codeOf, verifications }: World, caller: Caller, verification: Verification.Verification) =>
  verifications.login(caller, { requestId: verification.id, otp: codeOf(verification) })

describe("login", () => {
  it.effect("answers the verified identity for the right code, and null for every later call", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ idle: true })
      const { verification } = yield* w.verifications.initiate(w.live, otp(indian))
      const first = yield* signIn(w, w.live, verification)
      assert.deepStrictEqual([first?.id, first?.status, first?.method], [verification.id, "VERIFIED", "OTP"])
      assert.isNull(yield* signIn(w, w.live, verification))
      const lenient = withSettings(w.live, { strictReverify: false })
      assert.isNull(yield* signIn(w, lenient, verification))
    })
  )

  it.effect("lets exactly one of 50 concurrent calls in", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ idle: true })
      const { verification } = yield* w.verifications.initiate(w.live, otp(indian))
      const all = yield* Effect.all(
        Array.from({ length: 50 }, () => signIn(w, w.live, verification)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        all.filter((found) => found !== null),
        1
      )
    })
  )

  it.effect("answers null for a login that verify or an earlier login call used", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ idle: true })
      const { asked } = yield* login(w, w.live)
      assert.isNull(yield* signIn(w, w.live, asked.verification))
    })
  )

  it.effect("counts a wrong code as an attempt, and fails when none is left", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ idle: true })
      const { verification } = yield* w.verifications.initiate(w.live, otp(indian))
      const guess = { requestId: verification.id, otp: wrong(w.codeOf(verification)) }
      for (let i = 0; i < verification.maxAttempts; i++) assert.isNull(yield* w.verifications.login(w.live, guess))
      const failed = yield* Effect.flip(signIn(w, w.live, verification))
      assert.strictEqual(failed._tag, "AttemptsExhausted")
    })
  )

  it.effect("compares no code once the verification is used, so a guess is not counted and reveals nothing", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ idle: true })
      const strict = withSettings(w.live, { strictReverify: true })
      const { verification } = yield* w.verifications.initiate(strict, otp(indian))
      const used = yield* signIn(w, strict, verification)
      const guess = { requestId: verification.id, otp: wrong(w.codeOf(verification)) }
      assert.isNull(yield* w.verifications.login(strict, guess))
      assert.deepStrictEqual(yield* w.verifications.status(strict, { requestId: verification.id }), used)
    })
  )

  it.effect(
    "fails with VerificationExpired after the code expires, and UnknownVerification in another environment",
    () =>
      Effect.gen(function* () {
        const w = yield* makeWorld({ idle: true })
        const { verification } = yield* w.verifications.initiate(w.live, otp(indian))
        assert.strictEqual((yield* Effect.flip(signIn(w, w.test, verification)))._tag, "UnknownVerification")
        yield* TestClock.setTime(verification.expiresAt)
        assert.strictEqual((yield* Effect.flip(signIn(w, w.live, verification)))._tag, "VerificationExpired")
      })
  )

  it.effect("needs no code after OneTap, once and within five minutes", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ idle: true })
      const on = withSettings(w.live, { oneTap: true })
      const asked = yield* ask(w, on, null)
      const { deviceToken } = asked
      const requestId = asked.verification.id
      const code = w.codeOf(asked.verification)
      assert.isNotNull(yield* w.verifications.login(on, { requestId, otp: code, deviceToken }))

      const again = yield* ask(w, on, deviceToken)
      assert.isTrue(again.oneTapApplied)
      const tap = { requestId: again.verification.id }
      assert.strictEqual((yield* w.verifications.login(on, tap))?.method, "ONETAP")
      assert.isNull(yield* w.verifications.login(on, tap))

      const late = yield* ask(w, on, again.deviceToken)
      yield* TestClock.setTime(start + 5 * minute)
      assert.isNull(yield* w.verifications.login(on, { requestId: late.verification.id }))
    })
  )

  it.effect("answers null without a code for a login that a code verified, or that is still pending", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ idle: true })
      const { verification } = yield* w.verifications.initiate(w.live, otp(indian))
      const requestId = verification.id
      assert.isNull(yield* w.verifications.login(w.live, { requestId }))
      yield* w.verifications.verify(w.live, { requestId, otp: w.codeOf(verification) })
      assert.isNull(yield* w.verifications.login(w.live, { requestId }))
    })
  )

  it.effect("never uses a trial of the dashboard", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ idle: true })
      const verification = yield* Context.get(w.services, TryIt).start(w.live, { identity: indian, channel: "SMS" })
      assert.isNull(yield* signIn(w, w.live, verification))
    })
  )
})
