import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import {
  answer,
  indian,
  makeProcess,
  makeStorage,
  makeWorld,
  otp,
  secrets,
  start,
  withSettings,
  wrong
} from "../fixtures/World.ts"

/** One storage, with the old secret, with both secrets, and with the new secret alone. */
const rotation = Effect.gen(function* () {
  const storage = yield* makeStorage
  const old = yield* makeWorld({ storage, idle: true })
  const both = yield* makeProcess(storage, { idle: true, secret: secrets.second, previousSecrets: [secrets.first] })
  const fresh = yield* makeProcess(storage, { idle: true, secret: secrets.second })
  return { old, both, fresh }
})

describe("after the master secret was rotated", () => {
  it.effect("codes and tokens that have not expired still work", () =>
    Effect.gen(function* () {
      const { both, old } = yield* rotation
      const { verification } = yield* old.verifications.initiate(old.live, otp(indian))
      const code = old.codeOf(verification)
      const resent = (yield* both.verifications.initiate(old.live, otp(indian))).verification
      assert.deepStrictEqual([resent.id, resent.keyId], [verification.id, old.keyring.current.id])
      const request = { requestId: verification.id }
      assert.strictEqual(answer(yield* both.verifications.verify(old.live, { ...request, otp: wrong(code) })), 2)
      const right = yield* both.verifications.verify(old.live, { ...request, otp: code })
      assert.strictEqual(answer(right), "right")

      const before = yield* old.verifications.verify(old.live, { ...request, otp: code })
      assert.ok(before._tag === "Verified" && right._tag === "Verified")
      for (const { idToken } of [before, right]) {
        assert.strictEqual((yield* both.verifications.confirm(old.live, { idToken })).id, verification.id)
      }
      const next = (yield* both.verifications.initiate(old.live, otp(indian))).verification
      assert.strictEqual(next.keyId, both.keyring.current.id)
    })
  )

  it.effect("and the old one was removed, its codes are expired and initiate starts a new verification", () =>
    Effect.gen(function* () {
      const { fresh, old } = yield* rotation
      const { verification } = yield* old.verifications.initiate(old.live, otp(indian))
      const request = { requestId: verification.id, otp: old.codeOf(verification) }
      const error = yield* Effect.flip(fresh.verifications.verify(old.live, request))
      assert.deepStrictEqual(
        [error._tag, "undeliverable" in error && error.undeliverable],
        ["VerificationExpired", false]
      )
      const next = (yield* fresh.verifications.initiate(old.live, otp(indian))).verification
      assert.notStrictEqual(next.id, verification.id)
      assert.deepStrictEqual([next.keyId, next.resends], [fresh.keyring.current.id, 0])
    })
  )

  it.effect("and the old one was removed, verified logins stay verified and old codes never match", () =>
    Effect.gen(function* () {
      const { fresh, old } = yield* rotation
      const { verification } = yield* old.verifications.initiate(old.live, otp(indian))
      const request = { requestId: verification.id, otp: old.codeOf(verification) }
      yield* old.verifications.verify(old.live, request)
      assert.strictEqual(answer(yield* fresh.verifications.verify(old.live, request)), "again")
      const strict = withSettings(old.live, { strictReverify: true })
      assert.strictEqual(answer(yield* fresh.verifications.verify(strict, request)), 2)
    })
  )
})

describe("in a test environment", () => {
  it.effect.each([4, 5, 6, 7, 8])("a code of %i digits is the digits in order", (otpLength) =>
    Effect.gen(function* () {
      const { test, verifications } = yield* makeWorld({ idle: true })
      const { verification } = yield* verifications.initiate(test, otp(indian, { otpLength }))
      const enter = (text: string) => verifications.verify(test, { requestId: verification.id, otp: text })
      assert.strictEqual(answer(yield* enter("12345678".slice(0, otpLength - 1))), 2)
      assert.strictEqual(answer(yield* enter("12345678".slice(0, otpLength))), "right")
    })
  )

  it.effect("all rules apply as in live", () =>
    Effect.gen(function* () {
      const { test, verifications } = yield* makeWorld({ idle: true })
      const { id } = (yield* verifications.initiate(test, otp(indian))).verification
      const enter = (text: string) => verifications.verify(test, { requestId: id, otp: text })
      yield* TestClock.setTime(start + 300_000)
      assert.strictEqual((yield* Effect.flip(enter("123456")))._tag, "VerificationExpired")
    })
  )
})
