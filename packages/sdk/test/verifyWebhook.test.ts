import { createHmac } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { verifyWebhook, type VerifyWebhookInput, type WebhookEvent, WebhookVerificationError } from "../src/server.ts"

// Test files share the modules of a worker: the first to load the package must load it with these timers.
vi.mock("../src/request/after.ts", () => import("./fixtures/timers.ts"))

const now = Date.parse("2026-01-31T09:30:00Z")
const seconds = now / 1000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now })
})
afterEach(() => {
  vi.useRealTimers()
})

const key = Buffer.from("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", "hex")
const secret = `whsec_${key.toString("base64")}`
const otherSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

const id = "evt_01m7y6wcxeqemg5jjmk36aw2kr"
const body = JSON.stringify({
  id,
  type: "otp.verified",
  createdAt: "2026-01-31T09:29:59.000Z",
  environment: "test",
  data: {
    requestId: "ver_1",
    identity: "+919876543210",
    identityType: "MOBILE",
    mode: "OTP",
    channel: "SMS",
    orderId: "für 7 €",
    verifiedAt: "2026-01-31T09:29:59.000Z",
    method: "OTP"
  }
})

const keyOf = (each: string) => Buffer.from(each.slice("whsec_".length), "base64")
const v1 = (text: string, at: number | string = seconds, each = secret, of = id) =>
  `v1,${createHmac("sha256", keyOf(each)).update(`${of}.${at}.${text}`).digest("base64")}`
const hex = (text: string, each = secret) => createHmac("sha256", each).update(text).digest("hex")

const standard = (text = body, at: number | string = seconds) => ({
  "webhook-id": id,
  "webhook-timestamp": String(at),
  "webhook-signature": v1(text, at)
})
const legacy = (text = body) => ({ "x-service-signature": hex(text) })

const check = (input: Partial<VerifyWebhookInput> = {}) =>
  verifyWebhook({ body, headers: standard(), secret, ...input })
/** For a receiver that has only the old header. */
const without = { dangerouslyAcceptWithoutTimestamp: true }

const reasonOf = (call: Promise<WebhookEvent>) =>
  call.then(
    () => "accepted",
    (error: unknown) => (error instanceof WebhookVerificationError ? error.errorCode : error)
  )

describe("a webhook", () => {
  it("contains an event whose type determines the type of its data", async () => {
    const event = await check()
    expect(event).toEqual(JSON.parse(body))
    const told = (): string | number | null => {
      switch (event.type) {
        case "otp.verified":
          return `${event.data.method} ${event.data.orderId}`
        case "otp.initiated":
        case "otp.expired":
          return event.data.requestId
        case "delivery.failed":
          return event.data.deliveries.length
        case "session.created":
          return event.data.scope
        case "message.received":
          return event.data.leadId
        case "campaign.delivered":
          return event.data.sent
        case "balance.low":
          return event.data.balance
        case "guard.tripped":
          return event.data.place
        case "guard.blocked":
          return event.data.count
        case "webhook.disabled":
          return event.data.reason
        case "webhook.test":
          return event.data.message
        default:
          return `${event.type} ${Object.keys(event.data).length}`
      }
    }
    expect(told()).toBe("OTP für 7 €")
  })

  it("of an unknown type is accepted", async () => {
    const text = JSON.stringify({ id, type: "star.born", createdAt: "", environment: "test", data: { a: 1 } })
    const event = await check({ body: text, headers: standard(text) })
    expect(event.type).toBe("star.born")
    expect(event.data).toEqual({ a: 1 })
  })

  it.each<readonly [string, VerifyWebhookInput["body"]]>([
    ["text", body],
    ["a Buffer", Buffer.from(body)],
    ["bytes within a larger buffer", new Uint8Array(Buffer.from(`xx${body}xx`)).subarray(2, -2)],
    ["an ArrayBuffer", new TextEncoder().encode(body).buffer]
  ])("may be passed as %s", async (_, bytes) => {
    expect(await reasonOf(check({ body: bytes }))).toBe("accepted")
    expect(await reasonOf(check({ body: bytes, headers: legacy(), ...without }))).toBe("accepted")
  })

  it.each<readonly [string, VerifyWebhookInput["headers"]]>([
    ["Headers", new Headers(standard())],
    ["Node's headers", { host: "example.com", "set-cookie": ["a", "b"], ...standard() }],
    [
      "a record in capitals",
      Object.fromEntries(Object.entries(standard()).map(([name, value]) => [name.toUpperCase(), value]))
    ],
    ["lists", Object.fromEntries(Object.entries(standard()).map(([name, value]) => [name, [value]]))],
    ["both", { ...standard(), ...legacy() }]
  ])("may have %s", async (_, headers) => {
    expect(await reasonOf(check({ headers }))).toBe("accepted")
  })

  it.each<readonly [string, VerifyWebhookInput["headers"]]>([
    ["a record", legacy()],
    ["Headers", new Headers(legacy())]
  ])("with only the old header, as %s, is accepted only with the dangerous option", async (_, headers) => {
    expect(await reasonOf(check({ headers, ...without }))).toBe("accepted")
    expect(await reasonOf(check({ headers }))).toBe("SIGNATURE_MISSING")
    expect(await reasonOf(check({ headers, dangerouslyAcceptWithoutTimestamp: false }))).toBe("SIGNATURE_MISSING")
  })

  it("that was captured cannot be replayed by removing its timestamp", async () => {
    const captured = { ...standard(body, seconds - 86_400), ...legacy() }
    expect(await reasonOf(check({ headers: captured }))).toBe("WRONG_TIME")
    for (const names of [["webhook-timestamp"], ["webhook-id", "webhook-timestamp", "webhook-signature"]]) {
      const stripped = Object.fromEntries(Object.entries(captured).filter(([name]) => !names.includes(name)))
      expect(await reasonOf(check({ headers: stripped }))).toBe("SIGNATURE_MISSING")
    }
  })

  it("can be signed with four secrets after three rotations", async () => {
    const secrets = [1, 2, 3].map((n) => `whsec_${Buffer.alloc(32, n).toString("base64")}`)
    const signatures = [...secrets, secret].map((each) => v1(body, seconds, each)).join(" ")
    for (const each of [...secrets, secret]) {
      const headers = { ...standard(), "webhook-signature": signatures }
      expect(await reasonOf(check({ secret: each, headers }))).toBe("accepted")
    }
  })

  it("matches a test vector from OpenSSL", async () => {
    // printf '%s' 'evt_1.1769851800.{…}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:<the key> -binary | base64
    const text =
      '{"id":"evt_1","type":"otp.initiated","createdAt":"2026-01-31T09:30:00.000Z","environment":"test","data":{}}'
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": "1769851800",
      "webhook-signature": "v1,srpOzfJ7LG3Cpw9gYvSEGhH5re6sWvLRdbrPCUvVPAE="
    }
    expect(await reasonOf(check({ body: text, headers }))).toBe("accepted")
    expect(
      await reasonOf(
        check({
          body: text,
          headers: { "x-service-signature": "173ac5cdb6171d20acdc232ce939a056af2aed2792ab50fecd75e7ab94dbf8e8" },
          ...without
        })
      )
    ).toBe("accepted")
  })

  it("is signed with both secrets during a rotation", async () => {
    const both = `${v1(body, seconds, otherSecret)} ${v1(body)}`
    expect(await reasonOf(check({ headers: { ...standard(), "webhook-signature": both } }))).toBe("accepted")
    expect(await reasonOf(check({ secret: [otherSecret, secret] }))).toBe("accepted")
    expect(await reasonOf(check({ secret: [otherSecret, secret], headers: legacy(), ...without }))).toBe("accepted")
    expect(await reasonOf(check({ secret: [otherSecret] }))).toBe("WRONG_SIGNATURE")
  })

  it.each([
    [-300, {}, "accepted"],
    [-301, {}, "WRONG_TIME"],
    [300, {}, "accepted"],
    [301, {}, "WRONG_TIME"],
    [-61, { toleranceSeconds: 60 }, "WRONG_TIME"],
    [-3600, { toleranceSeconds: 3600 }, "accepted"]
  ])("signed %d seconds from now, with %j: %s", async (offset, options, expected) => {
    expect(await reasonOf(check({ headers: standard(body, seconds + offset), ...options }))).toBe(expected)
  })
})

describe("an invalid webhook", () => {
  const signature = v1(body)
  const bytes = Buffer.from(signature.slice(3), "base64")
  const flipped = Buffer.from(bytes)
  flipped[31] = (flipped[31] ?? 0) ^ 1
  const withSignature = (value: string) => ({ headers: { ...standard(), "webhook-signature": value } })
  const withLegacy = (value: string) => ({ headers: { "x-service-signature": value }, ...without })
  const lacking = (name: string) =>
    Object.fromEntries(Object.entries({ ...standard(), ...legacy() }).filter(([each]) => each !== name))

  const cases: ReadonlyArray<readonly [string, string, Partial<VerifyWebhookInput>]> = [
    ["no signature", "SIGNATURE_MISSING", { headers: {} }],
    ["the old header alone", "SIGNATURE_MISSING", { headers: legacy() }],
    ["no id, beside the old header", "SIGNATURE_MISSING", { headers: lacking("webhook-id"), ...without }],
    ["no time, beside the old header", "SIGNATURE_MISSING", { headers: lacking("webhook-timestamp"), ...without }],
    [
      "no standard signature, beside the old header",
      "SIGNATURE_MISSING",
      { headers: lacking("webhook-signature"), ...without }
    ],
    [
      "a wrong standard signature beside a right old one",
      "WRONG_SIGNATURE",
      { headers: { ...standard(), ...legacy(), "webhook-signature": "v1,AAAA" } }
    ],
    ["one bit flipped", "WRONG_SIGNATURE", withSignature(`v1,${flipped.toString("base64")}`)],
    ["a shorter signature", "WRONG_SIGNATURE", withSignature(`v1,${bytes.subarray(0, 31).toString("base64")}`)],
    ["an empty signature", "WRONG_SIGNATURE", withSignature("v1,")],
    ["an empty header", "WRONG_SIGNATURE", withSignature("")],
    ["another version", "WRONG_SIGNATURE", withSignature(signature.replace("v1,", "v1a,"))],
    ["no version", "WRONG_SIGNATURE", withSignature(signature.slice(3))],
    ["the signature as hex", "WRONG_SIGNATURE", withSignature(`v1,${bytes.toString("hex")}`)],
    [
      "a right one behind a thousand wrong ones",
      "WRONG_SIGNATURE",
      withSignature(`${"v1,AAAA ".repeat(1000)}${signature}`)
    ],
    ["another id", "WRONG_SIGNATURE", { headers: { ...standard(), "webhook-id": "evt_2" } }],
    ["another time", "WRONG_SIGNATURE", { headers: { ...standard(), "webhook-timestamp": String(seconds + 1) } }],
    ["two ids", "WRONG_SIGNATURE", { headers: { ...standard(), "webhook-id": [id, id] } }],
    ["a time that is no number", "WRONG_TIME", { headers: standard(body, "now") }],
    ["an empty time", "WRONG_TIME", { headers: standard(body, "") }],
    ["a time with a fraction", "WRONG_TIME", { headers: standard(body, `${seconds}.0`) }],
    ["a time in hex", "WRONG_TIME", { headers: standard(body, `0x${seconds.toString(16)}`) }],
    ["another body", "WRONG_SIGNATURE", { body: body.replace("ver_1", "ver_2") }],
    ["another body, by the old header", "WRONG_SIGNATURE", { body: `${body} `, headers: legacy(), ...without }],
    ["whitespace changed", "WRONG_SIGNATURE", { body: JSON.stringify(JSON.parse(body), null, 1) }],
    ["another secret", "WRONG_SIGNATURE", { secret: otherSecret }],
    ["another secret, by the old header", "WRONG_SIGNATURE", { secret: otherSecret, headers: legacy(), ...without }],
    ["the old header in capitals", "WRONG_SIGNATURE", withLegacy(hex(body).toUpperCase())],
    ["the old header as base64", "WRONG_SIGNATURE", withLegacy(bytes.toString("base64"))],
    ["the old header cut", "WRONG_SIGNATURE", withLegacy(hex(body).slice(0, 62))],
    ["the old header empty", "WRONG_SIGNATURE", withLegacy("")],
    [
      "the old header keyed by the decoded secret",
      "WRONG_SIGNATURE",
      withLegacy(createHmac("sha256", key).update(body).digest("hex"))
    ],
    ["no secret", "INVALID_SECRET", { secret: "" }],
    ["no secrets", "INVALID_SECRET", { secret: [] }],
    ["a secret without its prefix", "INVALID_SECRET", { secret: secret.slice(6) }],
    ["a secret that is not base64", "INVALID_SECRET", { secret: "whsec_not base64!" }],
    ["nothing behind the prefix", "INVALID_SECRET", { secret: "whsec_" }],
    ["one bad secret of two", "INVALID_SECRET", { secret: [secret, ""] }],
    ["a signed body that is not JSON", "NOT_AN_EVENT", { body: "hello", headers: standard("hello") }],
    ["a signed body that is no event", "NOT_AN_EVENT", { body: "{}", headers: standard("{}") }],
    ["a signed null", "NOT_AN_EVENT", { body: "null", headers: legacy("null"), ...without }]
  ]

  it.each(cases)("%s: %s", async (_, expected, input) => {
    expect(await reasonOf(check(input))).toBe(expected)
  })

  it("that was parsed before verification is reported as such", async () => {
    const parsed: any = JSON.parse(body)
    expect(await reasonOf(check({ body: parsed }))).toBe("BODY_NOT_RAW")
  })

  it("leaves no secret and no signature in the error", async () => {
    const failures = await Promise.all(
      cases.map(([, , input]) => check(input).then(() => expect.fail("it was believed"), String))
    )
    expect(failures.join()).not.toContain(key.toString("base64"))
    expect(failures.join()).not.toContain(signature.slice(3))
  })
})
