import { TruecallerSimulator } from "@countersign/testkit/simulators"
import { Truecaller } from "@countersign/truecaller"
import { Effect, Exit, Scope } from "effect"
import { createHash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type App, appOf } from "./fixture/App.ts"
import { type Client, phone, refused, uuid } from "./fixture/Client.ts"
import { returnTo } from "./fixture/Link.ts"
import { memory, type Service } from "./fixture/Service.ts"

const codeVerifier = `${uuid()}${uuid()}`
const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url")

describe("live logins with Truecaller", () => {
  const scope = Scope.makeUnsafe()
  const lines: Array<string> = []
  const codes: Array<string> = []
  const people: Array<string> = []
  let truecaller: TruecallerSimulator.TruecallerSimulator
  let service: Service
  let client: Client
  let app: App

  beforeAll(async () => {
    truecaller = await Effect.runPromise(Scope.provide(TruecallerSimulator.make(), scope))
    const verifier = await Effect.runPromise(Truecaller.make({ clientId: truecaller.clientId, apiUrl: truecaller.url }))
    service = await memory({ verifiers: [verifier], log: (line) => lines.push(line) })
    client = (await service.merchant()).live
    await client.settings({ redirectUris: [returnTo], sdkInitiatesPerIpPerHour: 1000 })
    app = await appOf(client)
  })
  afterAll(async () => {
    await service.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const play = (behaviour: Parameters<typeof truecaller.play>[0]) => Effect.runPromise(truecaller.play(behaviour))
  const asked = async () => (await Effect.runPromise(truecaller.seen)).length

  const started = async (identity: string) => {
    people.push(identity.slice(1))
    return client.started({ identity, mode: "OAUTH", channel: "TRUECALLER", redirectUri: returnTo })
  }

  /** A person consents in the app, which gets a code. */
  const consented = (identity: string, more: Partial<TruecallerSimulator.TruecallerConsent> = {}) => {
    people.push(identity.slice(1))
    const consent = { phone: identity.slice(1), codeChallenge, state: "", ...more }
    const { authorizationCode } = truecaller.authorize(consent)
    codes.push(authorizationCode)
    return { code: authorizationCode, codeVerifier }
  }

  const stands = async (sessionId: string) => (await app.waiting(sessionId)).body.authStatus

  it("verify the number that Truecaller returns, and the backend exchanges the code from status", async () => {
    const identity = phone()
    const sessionId = await started(identity)
    const before = await asked()
    const answers = await Promise.all(
      Array(20)
        .fill({ sessionId, state: sessionId, ...consented(identity) })
        .map((proof) => app.truecaller(proof))
    )
    for (const { body } of answers) assert.deepStrictEqual(body, { verified: true, requestId: sessionId })
    assert.strictEqual(await asked(), before + 2)
    const { code } = (await client.status({ requestId: sessionId })).body
    assert.deepInclude((await client.token({ code })).body, { requestId: sessionId, identity })
  })

  it("fail for another or an unverified number, and accept a number sent as a JSON number", async () => {
    const [right, unverified, numeric] = [phone(), phone(), phone()]
    for (const [identity, consent, verified] of [
      [right, consented(phone()), false],
      [unverified, consented(unverified, { isVerified: false }), false],
      [numeric, consented(numeric, { asNumber: true }), true]
    ] as const) {
      const sessionId = await started(identity)
      assert.deepStrictEqual((await app.truecaller({ sessionId, ...consent })).body, { verified, requestId: sessionId })
      assert.strictEqual(await stands(sessionId), verified ? "VERIFIED" : "FAILED")
    }
  })

  it("stay open when Truecaller rejects the code, and tell the app to start again", async () => {
    const identity = phone()
    const sessionId = await started(identity)
    const other = await started(phone())
    const used = consented(phone())
    await app.truecaller({ sessionId: other, ...used })
    for (const proof of [
      used,
      { ...consented(identity), codeVerifier: "w".repeat(43) },
      { code: "unknown" },
      consented(identity, { scopes: ["phone"] })
    ]) {
      const answer = await app.truecaller({ sessionId, ...proof }, { "idempotency-key": uuid() })
      refused(answer, "INVALID_REQUEST", "code")
      assert.include(answer.body.message, "new code")
      assert.strictEqual(await stands(sessionId), "PENDING")
    }
    refused(await app.truecaller({ sessionId, state: other, ...consented(identity) }), "INVALID_REQUEST", "state")
    assert.isTrue((await app.truecaller({ sessionId, ...consented(identity) })).body.verified)
  })

  it("stay open while Truecaller is down, drops the connection or refuses our client id, and work afterwards", async () => {
    const identity = phone()
    const sessionId = await started(identity)
    const key = { "idempotency-key": uuid() }
    for (const behaviour of ["unavailable", "brokenAfter", "garbledLater", "unknownAccount"] as const) {
      await play(behaviour)
      const answer = await app.truecaller({ sessionId, ...consented(identity) })
      refused(answer, "PROVIDER_ERROR")
      assert.deepStrictEqual([answer.status, Number(answer.headers["retry-after"]) > 0], [502, true])
      assert.strictEqual(await stands(sessionId), "PENDING")
    }
    await play("overloaded")
    const proof = { sessionId, ...consented(identity) }
    const overloaded = await app.truecaller(proof, key)
    assert.strictEqual(overloaded.headers["retry-after"], String(truecaller.retryAfterSeconds))
    await play("accepted")
    // The same request again: a temporary failure is not stored for its key.
    assert.isTrue((await app.truecaller(proof, key)).body.verified)
  })

  it("log an outage of Truecaller once a minute, not once per request", async () => {
    const identity = phone()
    const sessionId = await started(identity)
    await play("unavailable")
    const before = lines.length
    const post = () => app.truecaller({ sessionId, ...consented(identity) })
    for (const answer of await Promise.all(Array.from({ length: 50 }, post))) refused(answer, "PROVIDER_ERROR")
    await play("accepted")
    assert.isAtMost(lines.length - before, 1)
  })

  it("never log a code, a verifier, a token, a number or a profile", async () => {
    const secrets = [
      ...(await Effect.runPromise(truecaller.secrets)),
      ...codes,
      ...people,
      codeVerifier,
      client.keys.clientSecret
    ]
    assert.isAbove(lines.length, 0)
    for (const secret of secrets) assert.isFalse(lines.some((line) => line.includes(secret)))
  })
})
