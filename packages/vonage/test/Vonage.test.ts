import { InvalidOptions, type Receipt } from "@countersign/core/channel"
import { VonageSimulator } from "@countersign/testkit/simulators"
import type { Vonage } from "@countersign/vonage"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { createHmac, generateKeyPairSync } from "node:crypto"
import {
  apiKey,
  apiSecret,
  channel,
  code,
  message,
  publicUrl,
  reference,
  report,
  signatureSecret,
  uuid
} from "./fixtures/world.ts"

const applicationId = "aaaaaaaa-bbbb-cccc-dddd-0123456789ab"
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 })
const publicKey = pair.publicKey.export({ type: "spki", format: "pem" }).toString()
const privateKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
const asApplication = { apiKey: undefined, apiSecret: undefined, applicationId }

const world = Effect.fnUntraced(function* (options: Partial<Vonage.Options> = {}) {
  const vonage = yield* VonageSimulator.make({
    apiKey,
    apiSecret,
    signatureSecret,
    application: { id: applicationId, publicKey }
  })
  return { vonage, channel: yield* channel(vonage.url, options) }
})

const reasonOf = (status: number, body: unknown) =>
  Effect.gen(function* () {
    const { channel: sms, vonage } = yield* world()
    const headers = { "content-type": "application/problem+json" }
    yield* vonage.play({ status, headers, body: JSON.stringify(body) })
    const { reason } = yield* Effect.flip(sms.send(message()))
    const because = reason._tag === "Refused" ? ` ${reason.because}` : ""
    return `${reason._tag} ${reason.providerCode}${because}`
  }).pipe(Effect.scoped)

const callbackOf = (options: Partial<Vonage.Options> = {}) =>
  Effect.map(channel("https://api.nexmo.com", options), ({ callback }) => callback ?? assert.fail("no callback"))

describe("the Vonage channel", () => {
  it.effect("sends text, reference and DLT ids as one message, with a lifetime and the report URL", () =>
    Effect.gen(function* () {
      const { channel: sms, vonage } = yield* world({ entityId: "1201161234567890123" })
      const sent = yield* sms.send(message({ options: { header: "ACMEIN", templateId: "1207161234567890123" } }))
      const [taken, ...more] = yield* vonage.ledger
      assert.strictEqual(more.length, 0)
      assert.deepStrictEqual(taken?.wanted.body, {
        channel: "sms",
        message_type: "text",
        to: "919812345678",
        from: "ACMEIN",
        text: `${code} is your Acme code`,
        client_ref: reference,
        ttl: 300,
        sms: { entity_id: "1201161234567890123", content_id: "1207161234567890123" },
        webhook_url: `${publicUrl}/v1/callbacks/vonage`,
        webhook_version: "v1"
      })
      assert.strictEqual(sent.providerId, taken?.id)
    })
  )

  it.effect("signs a token for each request of an application, and never sends the private key", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("30 days")
      const escaped = Redacted.make(privateKey.replaceAll("\n", "\\n"))
      const { channel: sms, vonage } = yield* world({ ...asApplication, privateKey: escaped })
      yield* sms.send(message())
      yield* sms.send(message())
      const tokens = (yield* vonage.seen).map(({ raw }) => /authorization: Bearer (\S+)/.exec(raw)?.[1] ?? "")
      assert.strictEqual(new Set(tokens).size, 2)
      const claims: unknown = JSON.parse(Buffer.from(tokens[0]!.split(".")[1]!, "base64url").toString())
      assert.hasAllKeys(claims, ["application_id", "jti", "iat", "exp"])
      const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
      const wrong = yield* channel(vonage.url, {
        ...asApplication,
        privateKey: Redacted.make(other.export({ type: "pkcs8", format: "pem" }).toString())
      })
      const { reason } = yield* Effect.flip(wrong.send(message()))
      assert.deepInclude(reason, { _tag: "Refused", providerCode: "unauthorized", because: "account" })
    })
  )

  it.effect("is checked without sending, and the check reports whether the credentials are valid", () =>
    Effect.gen(function* () {
      const { channel: right, vonage } = yield* world()
      assert.deepStrictEqual(yield* right.check!, { detail: "accepts the API key and its secret" })
      const wrong = yield* channel(vonage.url, { apiSecret: Redacted.make("another") })
      const { advice, problem } = yield* Effect.flip(wrong.check!)
      assert.strictEqual(problem, "does not accept the API key and its secret (HTTP 401)")
      assert.strictEqual(advice, "compare them with Vonage's dashboard")
      assert.deepStrictEqual(yield* vonage.ledger, [])
    })
  )

  it.effect("maps a problem to Refused or Unavailable by code, parameters or status, never by its text", () =>
    Effect.gen(function* () {
      const type = (end: string) => `https://developer.vonage.com/api-errors/messages#${end}`
      const detail = `${code} to +919812345678`
      const invalid = (name: string) => ({
        type: type("1020"),
        detail,
        invalid_parameters: [{ name, reason: detail }]
      })
      assert.deepStrictEqual(
        [
          yield* reasonOf(401, { type: "https://developer.vonage.com/api-errors#unauthorized", detail }),
          yield* reasonOf(402, { type: "https://developer.vonage.com/api-errors/#low-balance", detail }),
          yield* reasonOf(422, invalid("to")),
          yield* reasonOf(422, invalid("from")),
          yield* reasonOf(422, { type: type("1120"), title: detail }),
          yield* reasonOf(422, { type: type(detail), title: "1240" }),
          yield* reasonOf(400, { type: type("1000") }),
          yield* reasonOf(403, { type: detail, title: detail }),
          yield* reasonOf(500, { type: type("1030") }),
          yield* reasonOf(200, { type: detail })
        ],
        [
          "Refused unauthorized account",
          "Refused low-balance account",
          "Refused 1020 recipient",
          "Refused 1020 account",
          "Refused 1120 account",
          "Refused 1240 recipient",
          "Unavailable 1000",
          "Refused http_403 account",
          "OutcomeUnknown http_500",
          "OutcomeUnknown unreadable"
        ]
      )
    })
  )

  it.effect("reads a signed report: its status, the signed reference, and the reason of a failure", () =>
    Effect.gen(function* () {
      const callback = yield* callbackOf()
      const read = (status: string, error?: object) =>
        Effect.map(
          callback.receive(report({ message_uuid: uuid, client_ref: reference, status, ...(error && { error }) })),
          ({ receipts }) => receipts
        )
      const receipt = (status: Receipt["status"], providerCode: string | null = null) => [
        { reference, status, providerId: uuid, providerCode }
      ]
      assert.deepStrictEqual(yield* read("submitted"), receipt("SENT"))
      assert.deepStrictEqual(yield* read("delivered"), receipt("DELIVERED"))
      assert.deepStrictEqual(yield* read("read"), receipt("READ"))
      const error = { type: "https://developer.vonage.com/api-errors/messages#1120", title: 1120, detail: code }
      assert.deepStrictEqual(yield* read("rejected", error), receipt("FAILED", "1120"))
      assert.deepStrictEqual(
        yield* read("undeliverable", { title: 1260 }),
        receipt("FAILED", "1260").map((one) => ({ ...one, because: "recipient" }))
      )
      assert.deepStrictEqual(yield* read("constructor"), [])
    })
  )

  it.effect("refuses reports with another secret, algorithm or hash, without a token, or with an unsigned body", () =>
    Effect.gen(function* () {
      const callback = yield* callbackOf()
      const said = { message_uuid: uuid, client_ref: reference, status: "delivered" }
      const body = JSON.stringify(said)
      const { sign } = VonageSimulator
      const none = sign(signatureSecret, body, {}, { alg: "none" })
      const confused = sign(publicKey, body, {}, { alg: "HS256" })
      const forged = [
        "",
        "Bearer x",
        `Basic ${Buffer.from("a:b").toString("base64")}`,
        `Bearer ${sign(`${signatureSecret}x`, body)}`,
        `Bearer ${sign(signatureSecret, `${body} `)}`,
        `Bearer ${sign(signatureSecret, body, { payload_hash: undefined })}`,
        `Bearer ${sign(signatureSecret, body, { payload_hash: "00" })}`,
        `Bearer ${none}`,
        `Bearer ${none.slice(0, none.lastIndexOf(".") + 1)}`,
        `Bearer ${confused}`,
        `Bearer ${sign(signatureSecret, body, {}, { alg: "HS512" })}`
      ]
      for (const authorization of forged) {
        const { _tag } = yield* Effect.flip(callback.receive(report(said, authorization)))
        assert.strictEqual(_tag, "CallbackRefused", authorization)
      }
      // A valid token of one report does not fit another, because it signs the reference.
      const genuine = report(said)
      const other = report({ ...said, client_ref: reference.replace("1.", "2.") }, genuine.header("authorization"))
      assert.strictEqual((yield* Effect.flip(callback.receive(other)))._tag, "CallbackRefused")
      assert.strictEqual((yield* callback.receive(genuine)).receipts.length, 1)
    })
  )

  it("signs tokens as RFC 7515 specifies", () => {
    const body = '{"status":"delivered"}'
    const [head, claims, signature] = VonageSimulator.sign(signatureSecret, body).split(".")
    assert.strictEqual(Buffer.from(head!, "base64url").toString(), '{"alg":"HS256","typ":"JWT"}')
    assert.include(
      Buffer.from(claims!, "base64url").toString(),
      '"payload_hash":"2499358d3b73660dd38ee30338a37045ae22062c41f1be9df142285a615a6ae9"'
    )
    assert.strictEqual(signature, createHmac("sha256", signatureSecret).update(`${head}.${claims}`).digest("base64url"))
  })

  it.effect("has no receipts without a signature secret, or without a safe public URL", () =>
    Effect.gen(function* () {
      for (const options of [{ signatureSecret: undefined }, { publicUrl: "http://verify.example.com" }]) {
        const { callback, supports } = yield* channel("https://api.nexmo.com", options)
        assert.deepStrictEqual([callback, supports.receipts], [undefined, false])
      }
    })
  )

  it.effect("reports every invalid option together, without its value, and half a pair is an error", () =>
    Effect.gen(function* () {
      const problemsOf = (options: Partial<Vonage.Options>) =>
        Effect.map(Effect.flip(channel("https://api.nexmo.com", options)), (problem) => {
          assert.instanceOf(problem, InvalidOptions)
          assert.notInclude(problem.message, "hunter")
          return problem.problems.map(({ option }) => option)
        })
      assert.deepStrictEqual(
        yield* problemsOf({
          applicationId: "hunter",
          privateKey: Redacted.make("hunter"),
          apiKey: "hunter 2",
          apiSecret: Redacted.make("hunter 2"),
          from: "hunter-from-the-woods",
          entityId: "hunter",
          signatureSecret: Redacted.make("hunter"),
          publicUrl: "hunter",
          apiUrl: "http://hunter.example.com",
          perSecond: -1
        }),
        [
          "applicationId",
          "privateKey",
          "apiKey",
          "apiSecret",
          "from",
          "entityId",
          "signatureSecret",
          "publicUrl",
          "apiUrl",
          "perSecond"
        ]
      )
      assert.deepStrictEqual(yield* problemsOf({ apiKey: undefined, apiSecret: undefined }), ["applicationId"])
      assert.deepStrictEqual(yield* problemsOf({ apiSecret: undefined }), ["apiSecret"])
      assert.deepStrictEqual(yield* problemsOf(asApplication), ["privateKey"])
      const weak = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString()
      assert.deepStrictEqual(yield* problemsOf({ ...asApplication, privateKey: Redacted.make(weak) }), ["privateKey"])
    })
  )
})
