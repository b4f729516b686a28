import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, Unlocks, type Verification } from "../../src/index.ts"
import { link, makeLinkWorld } from "../fixtures/links.ts"
import { indian, otp, withSettings } from "../fixtures/World.ts"
import type { InitiateRequest } from "../../src/auth/verification/InitiateRequest.ts"
import { challengeOf } from "../../src/auth/verification/exchange.ts"

const person = { identity: "asha@example.com" } as const
const unnamed = { ...person, state: null, codeChallenge: null }
const codeVerifier = "v".repeat(43)
const codeChallenge = challengeOf(codeVerifier)
const truecaller = { identity: indian, identityType: "MOBILE", mode: "OAUTH", channel: "TRUECALLER" } as const

const makeTrustWorld = Effect.gen(function* () {
  const w = yield* makeLinkWorld()
  const on = { linkNumberMatch: true, oneTap: true, hourlyLimit: 100 }
  const live = withSettings(w.live, on)
  const test = withSettings(w.test, on)
  const ask = (more: Partial<InitiateRequest> = {}, caller: Caller = live, command: string | null = null) =>
    w.verifications.initiate(caller, link(more), command)
  const press = Effect.fnUntraced(function* (verification: Verification.Verification, isRight: boolean) {
    const { matchNumber } = yield* w.links.shown(live, verification)
    const { numbers } = (yield* w.links.look(w.tokenOf(verification))) ?? { numbers: [] }
    const number = isRight ? matchNumber : numbers!.find((offered) => offered !== matchNumber)!
    return (yield* w.links.approve(w.tokenOf(verification), number))._tag
  })
  const codeOf = Effect.fnUntraced(function* ({ id }: Verification.Verification, caller: Caller = live) {
    const { code } = yield* w.links.shown(caller, yield* w.verifications.status(caller, { requestId: id }))
    return code ?? ""
  })
  return { ...w, live, test, ask, press, codeOf, unlocks: Context.get(w.services, Unlocks) }
})

describe("a link without state and codeChallenge", () => {
  it.effect("never joins another request, so a stranger's approval signs in no other person", () =>
    Effect.gen(function* () {
      const { ask, live, press, verifications } = yield* makeTrustWorld
      const idOf = (more: Partial<InitiateRequest>) => Effect.map(ask(more), ({ verification: { id } }) => id)
      for (const redirectUri of [null, link().redirectUri]) {
        const alone = { ...unnamed, redirectUri }
        const ids = [
          yield* idOf(alone),
          yield* idOf(alone),
          yield* idOf({ ...alone, state: "" }),
          yield* idOf({ ...alone, orderId: `victim ${redirectUri}` }),
          yield* idOf({ ...alone, orderId: `stranger ${redirectUri}` })
        ]
        assert.strictEqual(new Set(ids).size, 5)
        assert.strictEqual(yield* idOf({ ...alone, orderId: `victim ${redirectUri}` }), ids[3])
      }
      const victim = (yield* ask({ ...unnamed, orderId: "v" })).verification
      yield* ask({ ...unnamed, orderId: "s" })
      assert.strictEqual(yield* press(victim, true), "Approved")
      assert.strictEqual((yield* verifications.status(live, { orderId: "s" })).status, "PENDING")
    })
  )

  it.effect("never joins another request when Truecaller verifies it either", () =>
    Effect.gen(function* () {
      const { ask, test } = yield* makeTrustWorld
      const alone = { ...truecaller, state: null }
      const first = yield* ask(alone, test)
      const second = yield* ask(alone, test)
      assert.notStrictEqual(second.verification.id, first.verification.id)
    })
  )

  it.effect("counts toward the hourly limit with every request", () =>
    Effect.gen(function* () {
      const { ask, live } = yield* makeTrustWorld
      const few = withSettings(live, { hourlyLimit: 2 })
      for (let n = 0; n < 2; n++) yield* ask(unnamed, few)
      assert.deepInclude(yield* Effect.flip(ask(unnamed, few)), { _tag: "RateLimited", limit: "spelling" })
    })
  )

  it.effect("is resent by its requestId, or by a request with the same idempotency key", () =>
    Effect.gen(function* () {
      const { ask, live } = yield* makeTrustWorld
      const { verification } = yield* ask(unnamed, live, "k1")
      yield* ask(unnamed, live, "k2")
      const again = yield* ask({ ...unnamed, requestId: verification.id })
      assert.deepStrictEqual([again.verification.id, again.verification.resends], [verification.id, 1])
      const repeated = yield* ask(unnamed, live, "k1")
      assert.deepStrictEqual([repeated.verification.id, repeated.repeated], [verification.id, true])
    })
  )
})

describe("the requestId of initiate", () => {
  it.effect("resends only the same login of the same person in the same environment", () =>
    Effect.gen(function* () {
      const { ask, live, test, verifications } = yield* makeTrustWorld
      const { verification } = yield* ask({ ...person, orderId: "o1" })
      const requestId = verification.id
      const refused: ReadonlyArray<readonly [string, Partial<InitiateRequest>, Caller, string]> = [
        ["another state", { ...person, state: "stranger" }, live, "InvalidField"],
        ["another challenge", { ...person, codeChallenge }, live, "InvalidField"],
        ["another redirectUri", { ...person, redirectUri: null }, live, "InvalidField"],
        ["another person", { identity: "b@example.com" }, live, "UnknownVerification"],
        ["another environment", person, test, "UnknownVerification"]
      ]
      for (const [name, more, caller, tag] of refused) {
        const failure = yield* Effect.flip(ask({ ...more, requestId }, caller))
        assert.strictEqual(failure._tag, tag, name)
        if (failure._tag === "InvalidField") assert.strictEqual(failure.field, "requestId", name)
      }
      for (const bad of ["", "nonsense", `ver_${"0".repeat(26)}`]) {
        assert.strictEqual((yield* Effect.flip(ask({ ...person, requestId: bad })))._tag, "UnknownVerification")
      }
      assert.strictEqual((yield* verifications.status(live, { requestId })).resends, 0)
      assert.strictEqual((yield* ask({ ...person, requestId })).verification.resends, 1)
      const code = yield* verifications.initiate(live, otp(person.identity, { requestId: "nonsense" }))
      assert.strictEqual(code.verification.mode, "OTP")
    })
  )

  it.effect("of a finished login starts another login", () =>
    Effect.gen(function* () {
      const { ask, press } = yield* makeTrustWorld
      const { verification } = yield* ask(person)
      yield* press(verification, true)
      const next = yield* ask({ ...person, requestId: verification.id })
      assert.notStrictEqual(next.verification.id, verification.id)
      assert.strictEqual(next.verification.status, "PENDING")
    })
  )
})

describe("the wrong number on the page of a link", () => {
  it.effect("counts as a wrong guess on that page, and three in 24 hours stop further links", () =>
    Effect.gen(function* () {
      const { ask, live, press, test, unlocks, verifications } = yield* makeTrustWorld
      const asking = (state: string) => Effect.map(ask({ ...person, state }), (initiated) => initiated.verification)
      const [waiting, ...links] = [
        yield* asking("0"),
        yield* asking("1"),
        yield* asking("2"),
        yield* asking("3")
      ] as const
      for (const one of links) {
        assert.strictEqual(yield* press(one, false), "Mistaken")
        yield* TestClock.adjust("1 minute")
      }
      const hour = 3600
      assert.deepInclude(yield* Effect.flip(asking("4")), {
        _tag: "RateLimited",
        limit: "wrongNumbers",
        retryAfterSeconds: 24 * hour - 180
      })
      assert.deepInclude(yield* Effect.flip(asking("0")), { limit: "wrongNumbers" })
      assert.strictEqual(yield* press(waiting, true), "Unusable")
      // Codes and Truecaller still work: neither has a page with numbers.
      const code = otp(person.identity)
      const { verification: byCode } = yield* verifications.initiate(live, code)
      assert.strictEqual(byCode.status, "PENDING")
      const now = yield* Clock.currentTimeMillis
      const links24 = { lockedUntil: now + (24 * hour - 180) * 1_000, reason: "WRONG_NUMBERS" } as const
      assert.deepInclude(yield* unlocks.lockOf(live, waiting.id), links24)
      assert.deepInclude(yield* unlocks.lockOf(live, byCode.id), { lockedUntil: null, reason: null })
      assert.strictEqual((yield* ask(truecaller, test)).verification.status, "PENDING")
      const capped = withSettings(live, { maxConsecutiveFailures: 3 })
      assert.deepInclude(yield* Effect.flip(verifications.initiate(capped, code)), { limit: "failures" })
      // Wrong codes refuse links too.
      const failures = { lockedUntil: now + (24 * hour - 60) * 1_000, reason: "WRONG_CODES" } as const
      assert.deepInclude(yield* unlocks.lockOf(capped, waiting.id), failures)
      assert.deepInclude(yield* unlocks.lockOf(capped, byCode.id), failures)

      yield* TestClock.adjust("23 hours")
      yield* TestClock.adjust("57 minutes")
      assert.strictEqual((yield* asking("5")).status, "PENDING")
      assert.isTrue(yield* unlocks.unlock(live, person.identity))
    })
  )

  it.effect("is reset by an unlock in the dashboard, and not by a correct number", () =>
    Effect.gen(function* () {
      const { ask, live, press, unlocks } = yield* makeTrustWorld
      const asking = (state: string) => Effect.map(ask({ ...person, state }), (initiated) => initiated.verification)
      for (const [n, isRight] of [false, false, true, false].entries()) yield* press(yield* asking(`${n}`), isRight)
      assert.deepInclude(yield* Effect.flip(asking("4")), { limit: "wrongNumbers" })
      assert.isTrue(yield* unlocks.unlock(live, person.identity))
      assert.strictEqual((yield* asking("5")).status, "PENDING")
    })
  )
})

describe("the exchange of a link's code", () => {
  it.effect("makes a device trusted only with number matching and a codeChallenge, and reports whether it did", () =>
    Effect.gen(function* () {
      const { ask, codeOf, links, live, press, verifications } = yield* makeTrustWorld
      const plain = withSettings(live, { linkNumberMatch: false })
      for (const [caller, more, expected] of [
        [live, { codeChallenge }, true],
        [live, {}, false],
        [plain, { codeChallenge }, false],
        [plain, {}, false]
      ] as const) {
        const identity = `p${expected}${Object.keys(more).length}${caller === live}@example.com`
        const { deviceToken, verification } = yield* ask({ identity, ...more }, caller)
        yield* press(verification, true)
        const code = yield* codeOf(verification)
        const verifier = "codeChallenge" in more ? { codeVerifier } : {}
        const { deviceTrusted } = yield* links.exchange(live, { code, deviceToken, ...verifier })
        assert.strictEqual(deviceTrusted, expected)
        const next = yield* verifications.initiate(live, otp(identity, { deviceToken }))
        assert.strictEqual(next.oneTapApplied, expected)
      }
    })
  )

  it.effect("gives the same answer to the same codeVerifier for 60 seconds, and to no other", () =>
    Effect.gen(function* () {
      const { ask, codeOf, links, live, press } = yield* makeTrustWorld
      const { deviceToken, verification } = yield* ask({ ...person, codeChallenge })
      yield* press(verification, true)
      const code = yield* codeOf(verification)
      const exchange = (given: string) => links.exchange(live, { code, codeVerifier: given, deviceToken })
      const first = yield* exchange(codeVerifier)
      assert.isTrue(first.deviceTrusted)
      yield* TestClock.adjust(59_999)
      const { idToken: _again, ...again } = yield* exchange(codeVerifier)
      const { idToken: _first, ...expected } = first
      assert.deepStrictEqual(again, expected)
      assert.strictEqual((yield* Effect.flip(exchange("w".repeat(43))))._tag, "InvalidField")
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Effect.flip(exchange(codeVerifier)))._tag, "UnknownAuthorisationCode")
    })
  )

  it.effect("makes no trust that skips a Truecaller login; a code on that device does", () =>
    Effect.gen(function* () {
      const { ask, codeOf, links, press, test, verifications } = yield* makeTrustWorld
      const phone = { identity: indian, identityType: "MOBILE", channel: "WHATSAPP", mode: "OAUTH" } as const
      const { deviceToken, verification } = yield* ask({ ...phone, codeChallenge }, test)
      yield* press(verification, true)
      const code = yield* codeOf(verification, test)
      assert.isTrue((yield* links.exchange(test, { code, codeVerifier, deviceToken })).deviceTrusted)

      const proof = yield* ask({ ...truecaller, deviceToken }, test)
      assert.deepStrictEqual([proof.oneTapApplied, proof.verification.status], [false, "PENDING"])
      const skipped = yield* verifications.initiate(test, otp(indian, { deviceToken }))
      assert.isTrue(skipped.oneTapApplied)

      const typed = yield* verifications.initiate(test, otp(indian))
      const answer = yield* verifications.verify(test, {
        requestId: typed.verification.id,
        otp: "123456",
        deviceToken: skipped.deviceToken
      })
      assert.strictEqual(answer._tag, "Verified")
      assert.isTrue((yield* ask({ ...truecaller, deviceToken: skipped.deviceToken }, test)).oneTapApplied)
    })
  )
})
