import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { begin, enterIn, makeAppWorld } from "../fixtures/apps.ts"
import { makeProcess, otp, indian, secrets, start, withSettings } from "../fixtures/World.ts"

describe("a session token", () => {
  it.effect("authenticates for the environment whose key made it, with the current settings of that environment", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const made = yield* w.sdk.create(w.live, {})
      assert.deepStrictEqual([made.scope, made.expiresIn, made.expiresAt], ["sdk", 600, start + 600_000])
      assert.deepStrictEqual(yield* w.sdk.authenticate(made.token), w.live)
      const inTest = yield* w.sdk.create(w.test, { scope: "sdk" })
      assert.deepStrictEqual(yield* w.sdk.authenticate(inTest.token), w.test)
      yield* w.merchants.changeSettings(w.live, { codeLength: 8 })
      assert.strictEqual((yield* w.sdk.authenticate(made.token)).settings.codeLength, 8)
      for (const token of [made.token, inTest.token]) {
        assert.strictEqual(token.split(".").length, 3)
        assert.notInclude(Buffer.from(token.split(".")[1]!, "base64url").toString(), "sk_")
      }
    })
  )

  it.effect("records its creation in one event, which does not contain the token", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      yield* TestClock.setTime(start + 999)
      const { expiresAt, token } = yield* w.sdk.create(w.live, { scope: null })
      const events = yield* w.events(w.live)
      assert.deepStrictEqual(
        events.map(({ createdAt, data, type }) => ({ type, createdAt, data })),
        [
          {
            type: "session.created",
            createdAt: start + 999,
            data: { expiresAt: new Date(expiresAt).toISOString(), scope: "sdk" }
          }
        ]
      )
      assert.notInclude(JSON.stringify(events), token)
      assert.deepStrictEqual(yield* w.events(w.test), [])
    })
  )

  it.effect("has the scope sdk only: another scope is refused, and no event is recorded", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      for (const scope of ["", "SDK", "sdk ", "admin", "__proto__"]) {
        const refused = yield* Effect.flip(w.sdk.create(w.live, { scope }))
        assert.deepStrictEqual([refused._tag, "field" in refused && refused.field], ["InvalidField", "scope"])
      }
      assert.deepStrictEqual(yield* w.events(w.live), [])
    })
  )

  it.effect("expires at the second of its expiresAt", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      yield* TestClock.setTime(start + 400)
      const { expiresAt, token } = yield* w.sdk.create(w.live, {})
      assert.strictEqual(expiresAt, start + 600_000)
      yield* TestClock.setTime(expiresAt - 1)
      yield* w.sdk.authenticate(token)
      yield* TestClock.setTime(expiresAt)
      assert.strictEqual((yield* Effect.flip(w.sdk.authenticate(token)))._tag, "InvalidCredentials")
    })
  )

  it.effect(
    "of a suspended merchant is refused with MerchantSuspended, and works again once the merchant is resumed",
    () =>
      Effect.gen(function* () {
        const w = yield* makeAppWorld()
        const { token } = yield* w.sdk.create(w.live, {})
        yield* w.merchants.setStatus(w.live.merchantId, "SUSPENDED")
        assert.strictEqual((yield* Effect.flip(w.sdk.authenticate(token)))._tag, "MerchantSuspended")
        const key = yield* Effect.flip(w.merchants.callerOfPublicKey(w.keys.live.publicKey))
        assert.strictEqual(key._tag, "MerchantSuspended")
        yield* w.merchants.setStatus(w.live.merchantId, "ACTIVE")
        yield* w.sdk.authenticate(token)
      })
  )

  it.effect("verifies codes of its own environment alone", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const neighbour = yield* Effect.orDie(w.merchants.create("Neighbour"))
      const other = yield* Effect.orDie(w.merchants.callerOf(neighbour.live.clientId))
      const asked = yield* begin(w, w.app)
      for (const caller of [w.test, other]) {
        const { token } = yield* w.sdk.create(caller, {})
        const bearer = yield* w.sdk.authenticate(token)
        assert.strictEqual(bearer.environment, caller.environment)
        assert.strictEqual((yield* Effect.flip(enterIn(w, bearer, asked)))._tag, "UnknownVerification")
      }
      const mine = yield* w.sdk.create(w.live, {})
      assert.isTrue((yield* enterIn(w, yield* w.sdk.authenticate(mine.token), asked)).verified)
    })
  )

  it.effect("cannot be replaced by another kind of token, nor replace one", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const { verification } = yield* w.verifications.initiate(w.live, otp(indian))
      const verified = yield* w.verifications.verify(w.live, {
        requestId: verification.id,
        otp: w.codeOf(verification)
      })
      assert.ok(verified._tag === "Verified")
      const session = (yield* w.sdk.create(w.live, {})).token
      const claims = { merchant: w.live.merchantId, environment: w.live.environment, scope: "sdk" }
      const sign = (
        more: { readonly [claim: string]: unknown },
        kind: "session" | "id" = "session",
        audience = "countersign:sdk"
      ) => w.tokens.sign(kind, { audience, subject: w.live.audience, more })
      const device = (yield* w.verifications.initiate(withSettings(w.live, { oneTap: true }), otp(indian))).deviceToken
      const foreign = yield* makeProcess(w.storage, {
        idle: true,
        secret: secrets.second,
        previousSecrets: [secrets.first]
      })
      const [head, body, signature] = session.split(".") as [string, string, string]
      const none = Buffer.from('{"alg":"none","typ":"countersign-session+jwt"}').toString("base64url")
      for (const [name, token] of Object.entries({
        "an idToken": verified.idToken,
        "an idToken with the claims of a session": yield* sign(claims, "id"),
        "a session for another audience": yield* sign(claims, "session", w.live.audience),
        "a session of another scope": yield* sign({ ...claims, scope: "admin" }),
        "a session without a scope": yield* sign({ environment: w.live.environment }),
        "a session that names another environment": yield* sign({ ...claims, environment: w.test.environment }),
        "a session of another service": (yield* foreign.sdk.create(w.live, {})).token,
        "a device token": device!,
        "a public key": w.keys.live.publicKey,
        "a client id": w.keys.live.clientId,
        "a token without signature": `${none}.${body}.`,
        "another signature": `${head}.${body}.${signature.split("").toReversed().join("")}`,
        nothing: "",
        noise: "\0..\ud800",
        "a very long text": "a".repeat(100_000)
      })) {
        assert.strictEqual((yield* Effect.flip(w.sdk.authenticate(token)))._tag, "InvalidCredentials", name)
      }
      const taken = yield* Effect.flip(w.verifications.confirm(w.live, { idToken: session }))
      assert.strictEqual(taken._tag, "InvalidField")
      yield* w.sdk.authenticate(yield* sign(claims))
    })
  )

  it.effect("made under an older master secret works while that secret is on the keyring", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const { token } = yield* w.sdk.create(w.live, {})
      const options = { idle: true, secret: secrets.second }
      const both = yield* makeProcess(w.storage, { ...options, previousSecrets: [secrets.first] })
      assert.strictEqual((yield* both.sdk.authenticate(token)).environment, w.live.environment)
      const fresh = yield* makeProcess(w.storage, options)
      assert.strictEqual((yield* Effect.flip(fresh.sdk.authenticate(token)))._tag, "InvalidCredentials")
    })
  )

  it.effect("is made by a server key only, and a public key is not a session token", () =>
    Effect.gen(function* () {
      const w = yield* makeAppWorld()
      const { token } = yield* w.sdk.create(w.app, {})
      assert.strictEqual((yield* Effect.flip(w.sdk.authenticate(token)))._tag, "InvalidCredentials")
      for (const key of [w.keys.live.clientId, "", "pk_live_nobody", "__proto__"]) {
        assert.strictEqual((yield* Effect.flip(w.merchants.callerOfPublicKey(key)))._tag, "InvalidCredentials")
      }
      assert.strictEqual((yield* Effect.flip(w.merchants.callerOf(w.keys.live.publicKey)))._tag, "InvalidCredentials")
    })
  )
})
