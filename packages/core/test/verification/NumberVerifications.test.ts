import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type Channel, OutcomeUnknown, Refused, Unavailable } from "../../src/index.channel.ts"
import { begin } from "../fixtures/apps.ts"
import {
  digits,
  failing,
  makeProofWorld,
  plannedVerifier,
  post,
  proves,
  returned,
  startProof,
  usualCodeVerifier
} from "../fixtures/proving.ts"
import { indian, otp, start } from "../fixtures/World.ts"

const refusedCode = failing(new Refused({ providerCode: "http_403" }))
const unknownAccount = failing(new Refused({ providerCode: "http_403", because: "account" }))
const away = failing(new Unavailable({ providerCode: "http_503", retryAfterSeconds: 7 }))
const unreadable = failing(new OutcomeUnknown({ providerCode: "unreadable" }))

const fieldOf = (error: { readonly _tag: string }) => ("field" in error ? error.field : error._tag)

describe("a number that Truecaller verifies", () => {
  it.effect("verifies the login when it is the number that the backend requested, with one event", () =>
    Effect.gen(function* () {
      const { asked, verifier } = plannedVerifier(proves(digits))
      const w = yield* makeProofWorld(verifier)
      const sessionId = yield* startProof(w, w.live)
      const { verification, verified } = yield* post(w, w.app, { sessionId, state: sessionId })
      assert.isTrue(verified)
      assert.deepStrictEqual([verification.id, verification.method], [sessionId, "TRUECALLER"])
      assert.deepStrictEqual(asked, [{ code: "code of truecaller", codeVerifier: usualCodeVerifier }])
      const { status, verifiedAt } = yield* w.verifications.status(w.live, { requestId: sessionId })
      assert.deepStrictEqual([status, verifiedAt], ["VERIFIED", start])
      assert.deepStrictEqual(
        (yield* w.events(w.live)).map(({ type }) => type),
        ["otp.initiated", "otp.verified"]
      )
    })
  )

  it.effect("fails the login for good when it is another number, an unverified one, or absent", () =>
    Effect.gen(function* () {
      const replies = [proves("919876543211"), proves(digits, false), proves(null), proves("9876543210"), proves("")]
      for (const reply of replies) {
        const { asked, verifier } = plannedVerifier(reply, proves(digits))
        const w = yield* makeProofWorld(verifier)
        const sessionId = yield* startProof(w, w.live)
        assert.isFalse((yield* post(w, w.app, { sessionId })).verified)
        assert.isFalse((yield* post(w, w.app, { sessionId, code: "another" })).verified)
        assert.strictEqual(asked.length, 1)
        assert.strictEqual((yield* w.verifications.status(w.live, { requestId: sessionId })).status, "FAILED")
        assert.notInclude(
          (yield* w.events(w.live)).map(({ type }) => type),
          "otp.verified"
        )
      }
    })
  )

  it.effect("is not requested again once the login is verified", () =>
    Effect.gen(function* () {
      const { asked, verifier } = plannedVerifier(proves(digits), proves("919876543211"))
      const w = yield* makeProofWorld(verifier)
      const sessionId = yield* startProof(w, w.live)
      for (const code of ["one", "two", "one"]) {
        assert.isTrue((yield* post(w, w.app, { sessionId, code })).verified)
        yield* TestClock.adjust("1 hour")
      }
      assert.strictEqual(asked.length, 1)
    })
  )

  it.effect("is rejected from the millisecond of expiry, also when the answer arrives then", () =>
    Effect.gen(function* () {
      const slow = Effect.delay(proves(digits), "1 second")
      for (const [when, tag] of [
        [-1001, null],
        [-1000, "VerificationExpired"],
        [0, "VerificationExpired"]
      ] as const) {
        const { asked, verifier } = plannedVerifier(slow)
        const w = yield* makeProofWorld(verifier)
        const sessionId = yield* startProof(w, w.live)
        const { expiresAt } = yield* w.verifications.status(w.live, { requestId: sessionId })
        yield* TestClock.setTime(expiresAt + when)
        const fiber = yield* Effect.forkChild(Effect.result(post(w, w.app, { sessionId })))
        yield* TestClock.adjust("1 second")
        const result = yield* Fiber.join(fiber)
        assert.strictEqual(result._tag === "Success" ? null : result.failure._tag, tag)
        assert.strictEqual(asked.length, when < 0 ? 1 : 0)
      }
    })
  )

  it.effect("leaves the login open where Truecaller rejects the code, and the error says what to do", () =>
    Effect.gen(function* () {
      const { verifier } = plannedVerifier(refusedCode, refusedCode, proves(digits))
      const w = yield* makeProofWorld(verifier)
      const sessionId = yield* startProof(w, w.live)
      for (const code of ["one", "one"]) {
        const refused = yield* Effect.flip(post(w, w.app, { sessionId, code }))
        assert.strictEqual(fieldOf(refused), "code")
        assert.match("problem" in refused ? refused.problem : "", /new code/)
      }
      assert.strictEqual((yield* w.verifications.status(w.live, { requestId: sessionId })).status, "PENDING")
      assert.isTrue((yield* post(w, w.app, { sessionId, code: "fresh" })).verified)
    })
  )

  it.effect("leaves the login open where Truecaller is away, unreadable, slow, or rejects our credentials", () =>
    Effect.gen(function* () {
      const { verifier } = plannedVerifier(away, unreadable, unknownAccount, Effect.never, proves(digits))
      const w = yield* makeProofWorld(verifier)
      const sessionId = yield* startProof(w, w.live)
      for (const wait of [7, 5, 5, 5]) {
        const fiber = yield* Effect.forkChild(Effect.flip(post(w, w.app, { sessionId })))
        yield* TestClock.adjust("10 seconds")
        const error = yield* Fiber.join(fiber)
        assert.deepInclude(error, { _tag: "ProofUnavailable", retryAfterSeconds: wait })
      }
      assert.isTrue((yield* post(w, w.app, { sessionId })).verified)
    })
  )

  it.effect("verifies the login although another request for the same person used the code in the meantime", () =>
    Effect.gen(function* () {
      let elsewhere: Effect.Effect<unknown> = Effect.void
      const w = yield* makeProofWorld({
        ...plannedVerifier().verifier,
        verify: () =>
          Effect.andThen(
            Effect.suspend(() => elsewhere),
            refusedCode
          )
      })
      const other = yield* makeProofWorld(plannedVerifier(proves(digits)).verifier, { storage: w.storage })
      const sessionId = yield* startProof(w, w.live)
      elsewhere = Effect.orDie(post(other, w.app, { sessionId }))
      assert.isTrue((yield* post(w, w.app, { sessionId })).verified)
    })
  )
})

describe("a post is refused without a call to Truecaller", () => {
  it.effect("when the code, its verifier or the state is invalid", () =>
    Effect.gen(function* () {
      const { asked, verifier } = plannedVerifier()
      const w = yield* makeProofWorld(verifier)
      const sessionId = yield* startProof(w, w.live)
      const other = yield* startProof(w, w.live, "+91 98765 43211")
      for (const [more, field] of [
        [{ code: "" }, "code"],
        [{ code: "x".repeat(2049) }, "code"],
        [{ code: "a\nb" }, "code"],
        [{ code: "kód" }, "code"],
        [{ codeVerifier: "v".repeat(42) }, "codeVerifier"],
        [{ codeVerifier: "v".repeat(129) }, "codeVerifier"],
        [{ codeVerifier: `${"v".repeat(43)} ` }, "codeVerifier"],
        [{ state: "" }, "state"],
        [{ state: other }, "state"],
        [{ state: sessionId.toUpperCase() }, "state"]
      ] as const) {
        assert.strictEqual(fieldOf(yield* Effect.flip(post(w, w.app, { sessionId, ...more }))), field)
      }
      assert.deepStrictEqual(asked, [])
      for (const code of ["x".repeat(2048), " ~"]) yield* post(w, w.app, { sessionId, code, state: null })
    })
  )

  it.effect("when no backend of this environment started such a login", () =>
    Effect.gen(function* () {
      const { asked, verifier } = plannedVerifier()
      const whatsapp: Channel = {
        name: "WHATSAPP",
        provider: "silent",
        supports: { identityTypes: ["MOBILE"], receipts: true, kinds: ["Code", "Link"] },
        send: () => Effect.succeed({ providerId: null })
      }
      const w = yield* makeProofWorld(verifier, { channels: [whatsapp] })
      const neighbour = yield* Effect.orDie(w.merchants.create("Neighbour"))
      const foreign = yield* Effect.orDie(w.merchants.callerOfPublicKey(neighbour.live.publicKey))
      const truecaller = yield* startProof(w, w.live)
      const code = (yield* w.verifications.initiate(w.live, otp(indian))).verification.id
      const oauth = { ...otp(indian), mode: "OAUTH", channel: "WHATSAPP", redirectUri: returned }
      const link = (yield* w.verifications.initiate(w.live, oauth)).verification.id
      const app = (yield* begin(w, w.app)).verification.id
      const unknown = "ver_00000000000000000000000000"
      for (const [caller, sessionId] of [
        [w.app, code],
        [w.app, link],
        [w.app, app],
        [w.app, unknown],
        [w.app, "nonsense"],
        [w.app, ""],
        [w.testApp, truecaller],
        [foreign, truecaller]
      ] as const) {
        assert.strictEqual((yield* Effect.flip(post(w, caller, { sessionId })))._tag, "UnknownVerification")
      }
      assert.deepStrictEqual(asked, [])
    })
  )

  it.effect("when this process has no verifier, though another process started the login", () =>
    Effect.gen(function* () {
      const w = yield* makeProofWorld(plannedVerifier().verifier)
      const sessionId = yield* startProof(w, w.live)
      const bare = yield* makeProofWorld(plannedVerifier().verifier, { storage: w.storage, verifiers: [] })
      assert.strictEqual((yield* Effect.flip(post(bare, w.app, { sessionId })))._tag, "ProofUnavailable")
      assert.strictEqual((yield* Effect.flip(startProof(bare, w.live)))._tag, "InvalidChannel")
    })
  )
})

describe("in a test environment", () => {
  it.effect("no verifier is called: the code is the number that it verifies, and 0000 simulates an outage", () =>
    Effect.gen(function* () {
      const { asked, verifier } = plannedVerifier()
      const w = yield* makeProofWorld(verifier)
      const right = yield* startProof(w, w.test)
      for (const code of ["", "code", "+919876543210", `0${digits}`, "9".repeat(16)]) {
        assert.strictEqual(fieldOf(yield* Effect.flip(post(w, w.testApp, { sessionId: right, code }))), "code")
      }
      assert.isTrue((yield* post(w, w.testApp, { sessionId: right, code: digits })).verified)
      const wrong = yield* startProof(w, w.test, "+91 98765 43211")
      assert.isFalse((yield* post(w, w.testApp, { sessionId: wrong, code: digits })).verified)
      const away = yield* startProof(w, w.test, "+91 98765 40000")
      const error = yield* Effect.flip(post(w, w.testApp, { sessionId: away, code: "919876540000" }))
      assert.strictEqual(error._tag, "ProofUnavailable")
      assert.deepStrictEqual(asked, [])
    })
  )
})

describe("an app that waits", () => {
  it.effect("sees the status of every verification of its environment, and EXPIRED from its expiry on", () =>
    Effect.gen(function* () {
      const w = yield* makeProofWorld(plannedVerifier().verifier)
      const sessionId = yield* startProof(w, w.live)
      const shown = (caller = w.app, id = sessionId) => Effect.map(w.sdk.status(caller, id), ({ status }) => status)
      const { expiresAt } = yield* w.verifications.status(w.live, { requestId: sessionId })
      assert.strictEqual(yield* shown(), "PENDING")
      yield* TestClock.setTime(expiresAt - 1)
      assert.strictEqual(yield* shown(), "PENDING")
      yield* TestClock.setTime(expiresAt)
      assert.strictEqual(yield* shown(), "EXPIRED")
      assert.strictEqual((yield* w.verifications.status(w.live, { requestId: sessionId })).status, "PENDING")
      const own = (yield* begin(w, w.app)).verification.id
      assert.strictEqual(yield* shown(w.app, own), "PENDING")
      for (const [caller, id] of [
        [w.testApp, sessionId],
        [w.app, "nonsense"],
        [w.app, ""]
      ] as const) {
        assert.strictEqual((yield* Effect.flip(shown(caller, id)))._tag, "UnknownVerification")
      }
    })
  )
})
