import { ChannelError, type NumberVerifier, Refused } from "@countersign/core/channel"
import { Effect, Redacted, Schema } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type App, appOf } from "./fixture/App.ts"
import { type Client, phone, refused } from "./fixture/Client.ts"
import { returnTo } from "./fixture/Link.ts"
import { memory, type Merchant, type Service } from "./fixture/Service.ts"

const payload = Schema.Struct({
  token: Schema.RedactedFromValue(Schema.String.check(Schema.isPattern(/^[a-z0-9]{5,30}$/))),
  sim: Schema.Literals([1, 2])
})

/** The proofs that the verifier received. */
const asked: Array<string> = []

/** A token is `t` followed by the number that it proves. */
const silent: NumberVerifier<typeof payload.Type> = {
  name: "SILENT_AUTH",
  label: "Silent authentication",
  provider: "acme",
  payload,
  verify: ({ sim, token }) =>
    Effect.suspend(() => {
      const text = Redacted.value(token)
      asked.push(`${text} ${sim}`)
      return text.startsWith("t")
        ? Effect.succeed({ phone: text.slice(1), isVerified: true })
        : Effect.fail(new ChannelError({ channel: "SILENT_AUTH", reason: new Refused({ providerCode: "no_token" }) }))
    })
}

describe("a custom number verifier with its own payload", () => {
  let service: Service
  let shop: Merchant
  let app: App

  beforeAll(async () => {
    service = await memory({ verifiers: [silent] })
    shop = await service.merchant()
    for (const client of [shop.live, shop.test]) {
      await client.settings({ redirectUris: [returnTo], sdkInitiatesPerIpPerHour: 1000 })
    }
    app = await appOf(shop.live)
  })
  afterAll(() => service.close())

  const started = (client: Client, identity: string, channel = "SILENT_AUTH") =>
    client.started({ identity, mode: "OAUTH", channel, redirectUri: returnTo })

  const verify = (verifier: string, body: object, { publicKey } = app) =>
    service.send({ path: `/v1/sdk/auth/verify-number/${verifier}`, body, headers: { "x-public-key": publicKey } })

  it("verifies the number that it returns, and the backend exchanges the code", async () => {
    const identity = phone()
    const sessionId = await started(shop.live, identity)
    const proof = { token: `t${identity.slice(1)}`, sim: 1, more: "is not read" }
    const { body } = await verify("SILENT_AUTH", { sessionId, proof, state: sessionId })
    assert.deepStrictEqual(body, { verified: true, requestId: sessionId })
    assert.strictEqual(asked.at(-1), `t${identity.slice(1)} 1`)
    const status = (await shop.live.status({ requestId: sessionId })).body
    assert.deepInclude((await shop.live.token({ code: status.code })).body, { requestId: sessionId, identity })
    const seen = (await shop.live.get(`/v1/dashboard/verifications/${sessionId}`)).body
    assert.deepInclude(seen, { channel: "SILENT_AUTH", method: "SILENT_AUTH", deliveries: [] })
  })

  it("is listed with the channels under its own label, and test environments also have the known ones", async () => {
    const own = { verifier: "SILENT_AUTH", label: "Silent authentication" }
    const listed = async (client: Client) => (await client.get("/v1/dashboard/channels")).body.verifiers
    assert.deepStrictEqual(await listed(shop.live), [own])
    assert.deepStrictEqual(await listed(shop.test), [
      { verifier: "TRUECALLER", label: "Truecaller" },
      { verifier: "FIREBASE", label: "Firebase" },
      { verifier: "TWILIO_SNA", label: "Silent network authentication" },
      { verifier: "CAMARA", label: "Mobile network" },
      own
    ])
  })

  it("fails the login for good on another number, and leaves it open when it rejects the proof", async () => {
    const [other, unknown] = [phone(), phone()]
    const sessionId = await started(shop.live, other)
    const { body } = await verify("SILENT_AUTH", { sessionId, proof: { token: "t919876543210", sim: 2 } })
    assert.deepStrictEqual(body, { verified: false, requestId: sessionId })
    const open = await started(shop.live, unknown)
    const answer = await verify("SILENT_AUTH", { sessionId: open, proof: { token: "unknown", sim: 1 } })
    refused(answer, "INVALID_REQUEST", "proof")
    assert.include(answer.body.message, "was rejected by Silent authentication")
    assert.strictEqual((await shop.live.status({ requestId: open })).body.authStatus, "PENDING")
  })

  it("never receives a proof of the wrong form, or for another verifier's login", async () => {
    const identity = phone()
    const sessionId = await started(shop.live, identity)
    const right = { token: `t${identity.slice(1)}`, sim: 1 }
    const before = asked.length
    for (const [proof, field] of [
      [{ sim: 1 }, "proof.token"],
      [{ token: "T!", sim: 1 }, "proof.token"],
      [{ ...right, sim: 3 }, "proof.sim"]
    ] as const) {
      refused(await verify("SILENT_AUTH", { sessionId, proof }), "INVALID_REQUEST", field)
    }
    refused(await verify("SILENT_AUTH", { sessionId, proof: right, state: "other" }), "INVALID_REQUEST", "state")
    refused(await verify("SILENT_AUTH", { sessionId, proof: "text" }), "INVALID_REQUEST", "proof")
    const code = await shop.live.started({ identity: phone() })
    refused(await verify("SILENT_AUTH", { sessionId: code, proof: right }), "TRANSACTION_NOT_FOUND")
    const truecaller = { code: "code", codeVerifier: "v".repeat(43) }
    refused(await verify("TRUECALLER", { sessionId, proof: truecaller }), "TRANSACTION_NOT_FOUND")
    refused(await app.truecaller({ sessionId, ...truecaller }), "TRANSACTION_NOT_FOUND")
    assert.strictEqual(asked.length, before)
  })

  it.each([
    "silent_auth",
    "SMS",
    "VIBER",
    "__proto__",
    "constructor",
    "SILENT_AUTH%00",
    "SILENT_AUTH%2F..%2Ftruecaller",
    "..%2Ftruecaller",
    "%F0%9F%98%80",
    "A".repeat(2_000)
  ])("is found only by its exact name: %s", async (name) => {
    const answer = await verify(name, { sessionId: "ver_1", proof: { token: "t919876543210", sim: 1 } })
    assert.include([400, 404, 414], answer.status)
    assert.notInclude(answer.text, "A".repeat(100))
  })

  it("requires OAUTH and a phone number, and other modes cannot use it as a channel", async () => {
    const { live } = shop
    refused(await live.initiate({ channel: "SILENT_AUTH" }), "INVALID_CHANNEL")
    const mail = { identity: "a@example.com", identityType: "EMAIL", mode: "OAUTH", redirectUri: returnTo }
    refused(await live.initiate({ ...mail, channel: "SILENT_AUTH" }), "INVALID_CHANNEL")
    refused(await live.settings({ primaryChannel: "SILENT_AUTH" }), "INVALID_REQUEST", "primaryChannel")
    refused(await app.initiate({ channel: "silent_auth" }), "INVALID_CHANNEL")
  })

  it("is replaced by the sandbox in the test environment, where a token of digits is the number it proves", async () => {
    const identity = phone()
    const sessionId = await started(shop.test, identity)
    const { keys } = shop.test
    const before = asked.length
    const test = await appOf(shop.test)
    assert.strictEqual(test.publicKey, keys.publicKey)
    const sandboxed = (token: string) => verify("SILENT_AUTH", { sessionId, proof: { token, sim: 1 } }, test)
    refused(await sandboxed("unknown"), "INVALID_REQUEST", "proof")
    assert.isTrue((await sandboxed(identity.slice(1))).body.verified)
    const known = await started(shop.test, phone(), "TRUECALLER")
    assert.match(known, /^ver_/)
    assert.strictEqual(asked.length, before)
  })
})
