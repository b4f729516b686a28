import { assert, describe, it } from "vitest"
import { code, phone, refused } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"

type Fields = { readonly [name: string]: unknown }

/** In the documented order: a request gets the first error of this list. */
const faults: ReadonlyArray<{
  readonly name: string
  readonly fields: Fields
  readonly errorCode: string
  readonly field?: string
}> = [
  { name: "an impossible identity", fields: { identity: "abc" }, errorCode: "INVALID_REQUEST", field: "identity" },
  { name: "an unknown mode", fields: { mode: "SMS_CODE" }, errorCode: "INVALID_MODE" },
  { name: "no channel for OAUTH", fields: { mode: "OAUTH" }, errorCode: "CHANNEL_REQUIRED" },
  { name: "a channel of another identity type", fields: { channel: "EMAIL" }, errorCode: "INVALID_CHANNEL" },
  {
    name: "no redirectUri for OAUTH",
    fields: { mode: "OAUTH", channel: "WHATSAPP" },
    errorCode: "REDIRECT_URI_REQUIRED"
  },
  {
    name: "a header on WHATSAPP",
    fields: { channel: "WHATSAPP", header: "ACMECO" },
    errorCode: "INVALID_REQUEST",
    field: "header"
  }
]

const shapes: ReadonlyArray<[field: string, values: ReadonlyArray<unknown>]> = [
  ["identity", [undefined, null, 9876543210, "", " ", ["+919876543210"], {}, true, "x".repeat(300)]],
  ["identityType", [undefined, null, "mobile", "PHONE", "", 1, []]],
  ["mode", [undefined, null, 1, ["OTP"], {}]],
  ["channel", [1, ["SMS"], {}, true]],
  ["orderId", ["", 1, [], {}, false, "x".repeat(256), "a\0b", "\ud800"]],
  ["otpLength", [3, 9, 0, -6, 6.5, "6", true, [6], {}, 1e300]],
  ["templateId", ["123", "1".repeat(18), "1".repeat(20), "a".repeat(19), 1234567890123456800, [], "١".repeat(19)]],
  ["header", ["ACME", "ACMECOM", "ACME12", "AC ECO", "АСМЕСО", 1, []]],
  ["wabaId", [1, [], "abc", "1".repeat(100), ""]],
  ["deviceToken", [1, [], {}, true]],
  ["deviceInfo", ["x", 1, true, [], [{}]]],
  ["redirectUri", [1, [], {}]],
  ["state", [1, [], {}, "x".repeat(513)]]
]

const refusedPhones = [
  "+91987654321",
  "+9198765432100",
  "5876543210",
  "+915876543210",
  "+910876543210",
  "09876543210",
  "++919876543210",
  "+91+9876543210",
  "91+9876543210",
  "(987) 6543210",
  "98765.43210",
  "9876543210x",
  "９８７６５４３２１０",
  "٩٨٧٦٥٤٣٢١٠",
  "98765\u00a043210",
  "98765\t43210",
  "98765\n43210",
  "9876543210\0",
  "\u202e9876543210",
  "+",
  "-",
  "+ -",
  "1",
  "12345",
  "+999123456789",
  "+1",
  "+6512",
  "tel:+919876543210",
  "+919876543210;ext=1",
  "+919876543210,+919876543211",
  "9".repeat(65)
]

const refusedEmails = [
  "",
  "@",
  "a@",
  "@b.c",
  "a",
  "a@b@c.d",
  "a b@c.d",
  "a@c d.e",
  "a@b.c\0",
  "a@b.c\n",
  "a@b.c\r\nBcc: x@y.z",
  "a@b.c,d@e.f",
  "<a@b.c>",
  '"a"@b.c',
  "a@b.c>",
  "a@[127.0.0.1]",
  "a@b..c",
  "a@.b",
  "a@b.",
  "a\u00a0b@c.d",
  "a\u200b@c.d",
  "a\ud800@c.d",
  `${"a".repeat(250)}@b.co`,
  "a(x)@b.c",
  "a;b@c.d",
  "a@b.c ",
  " a@b.c"
]

const bytes = (size: number, filler: string) => {
  const empty = Buffer.byteLength('{"a":""}')
  const count = Math.floor((size - empty) / Buffer.byteLength(filler))
  const rest = size - empty - count * Buffer.byteLength(filler)
  return { a: filler.repeat(count) + "x".repeat(rest) }
}

/** The errors of initiate, and their order. */
export const suite = (service: () => Service) =>
  describe("the checks of a request", () => {
    it.each(faults)("refuse $name", async ({ errorCode, field, fields }) => {
      const client = await service().client()
      refused(await client.initiate(fields), errorCode, field)
    })

    it("report the first of two errors, and credentials before all others", async () => {
      const client = await service().client()
      for (const [i, first] of faults.entries()) {
        for (const second of faults.slice(i + 1)) {
          // A later error can require the cause of the earlier one; such a pair is impossible.
          const fields = { ...second.fields, ...first.fields }
          if (first.errorCode === "CHANNEL_REQUIRED" && "channel" in second.fields) continue
          const meet = Object.entries(second.fields).every(
            ([name, value]) => !(name in first.fields) || first.fields[name] === value
          )
          if (meet) refused(await client.initiate(fields), first.errorCode, first.field)
        }
        const wrongSecret = { "x-client-secret": "sk_test_wrong" }
        refused(await client.initiate(first.fields, wrongSecret), "INVALID_CLIENT_CREDENTIALS")
      }
      refused(await client.post("/v1/auth/initiate", "{", { "x-client-id": "nobody" }), "INVALID_CLIENT_CREDENTIALS")
      const huge = "x".repeat(70_000)
      refused(await client.post("/v1/auth/initiate", huge, { "x-client-id": "nobody" }), "INVALID_CLIENT_CREDENTIALS")
      refused(
        await client.initiate({}, { "x-client-id": "nobody", "idempotency-key": "x" }),
        "INVALID_CLIENT_CREDENTIALS"
      )
      assert.strictEqual((await client.events()).body.items.length, 0)
    })

    it("check the form of every field before the mode", async () => {
      const client = await service().client()
      for (const [field, values] of shapes) {
        if (field === "mode" || field === "redirectUri" || field === "deviceToken") continue
        const mode = field === "identity" || field === "identityType" ? "OTP" : "JUNK"
        refused(await client.initiate({ mode, [field]: values.at(-1) }), "INVALID_REQUEST", field)
      }
    })

    it.each(shapes)("refuse a %s of the wrong form and name it", async (field, values) => {
      const client = await service().client()
      for (const value of values) refused(await client.initiate({ [field]: value }), "INVALID_REQUEST", field)
      assert.strictEqual((await client.events()).body.items.length, 0)
    })

    it("treat null as absent", async () => {
      const client = await service().client()
      const nothing = Object.fromEntries(
        [
          "channel",
          "orderId",
          "otpLength",
          "templateId",
          "header",
          "wabaId",
          "redirectUri",
          "state",
          "deviceToken",
          "deviceInfo"
        ].map((name) => [name, null])
      )
      const requestId = await client.started(nothing)
      const checked = await client.verify({ requestId, otp: code, orderId: null, deviceToken: null, deviceInfo: null })
      assert.strictEqual(checked.body.verified, true)
    })

    it("accept modes and channels only in upper case", async () => {
      const client = await service().client()
      for (const mode of ["otp", "Otp", "", " OTP", "SMS", "OTP\0"])
        refused(await client.initiate({ mode }), "INVALID_MODE")
      for (const channel of [
        "sms",
        "auto",
        "AUTO",
        "",
        "VOICE",
        "SMS ",
        "__proto__",
        "toString",
        "TRUECALLER",
        "EMAIL"
      ]) {
        refused(await client.initiate({ channel }), "INVALID_CHANNEL")
      }
      for (const channel of ["SMS", "WHATSAPP", "RCS", "TRUECALLER"]) {
        refused(await client.initiate({ identity: "a@example.com", identityType: "EMAIL", channel }), "INVALID_CHANNEL")
      }
      for (const channel of ["SMS", "RCS", "EMAIL"])
        refused(await client.initiate({ mode: "OAUTH", channel }), "INVALID_CHANNEL")
      refused(await client.initiate({ mode: "OAUTH", channel: "TRUECALLER" }), "REDIRECT_URI_REQUIRED")
      const redirectUri = "https://not.registered.example.com"
      refused(
        await client.initiate({ mode: "OAUTH", channel: "WHATSAPP", redirectUri }),
        "INVALID_REQUEST",
        "redirectUri"
      )
    })

    it("refuse fields that do not belong to the channel", async () => {
      const client = await service().client()
      const sms = { templateId: "1".repeat(19), header: "ACMECO" }
      for (const [name, value] of Object.entries(sms)) {
        for (const channel of ["WHATSAPP", "RCS"]) {
          refused(await client.initiate({ channel, [name]: value }), "INVALID_REQUEST", name)
        }
        refused(
          await client.initiate({ identity: "a@example.com", identityType: "EMAIL", [name]: value }),
          "INVALID_REQUEST",
          name
        )
      }
      for (const channel of ["SMS", "RCS"])
        refused(await client.initiate({ channel, wabaId: "123456" }), "INVALID_REQUEST", "wabaId")
      await client.started({ channel: "SMS", ...sms })
    })

    it("refuse an invalid phone number", async () => {
      const client = await service().client()
      for (const identity of refusedPhones) refused(await client.initiate({ identity }), "INVALID_REQUEST", "identity")
    })

    it("refuse an invalid email address", async () => {
      const client = await service().client()
      for (const identity of refusedEmails) {
        refused(await client.initiate({ identity, identityType: "EMAIL" }), "INVALID_REQUEST", "identity")
      }
    })

    it("limit deviceInfo to 4096 bytes of JSON, on initiate and on verify", async () => {
      const client = await service().client()
      for (const filler of ["x", "ü", "😀", "\\"]) {
        const exact = bytes(4096, filler === "\\" ? "x" : filler)
        assert.strictEqual(Buffer.byteLength(JSON.stringify(exact)), 4096)
        const requestId = await client.started({ deviceInfo: exact })
        const over = { a: `${exact.a}x` }
        refused(await client.initiate({ deviceInfo: over }), "INVALID_REQUEST", "deviceInfo")
        refused(await client.verify({ requestId, otp: code, deviceInfo: over }), "INVALID_REQUEST", "deviceInfo")
        assert.strictEqual((await client.verify({ requestId, otp: code, deviceInfo: exact })).body.verified, true)
      }
      refused(await client.initiate({ deviceInfo: { a: "\n".repeat(2050) } }), "INVALID_REQUEST", "deviceInfo")
    })

    it("ignore unknown fields, also those that look like internal state", async () => {
      const client = await service().client({ maxAttempts: 1 })
      const planted = {
        status: "VERIFIED",
        authStatus: "VERIFIED",
        verified: true,
        attempts: -99,
        maxAttempts: 99,
        codeLength: 1,
        environment: "live",
        merchantId: "x",
        id: "ver_00000000000000000000000000",
        requestId: "ver_00000000000000000000000000",
        verifiedAt: 1,
        code: "0",
        keyId: "x",
        resends: -5,
        path: "SDK"
      }
      const requestId = await client.started(planted)
      assert.notStrictEqual(requestId, planted.id)
      assert.strictEqual((await client.status({ requestId })).body.authStatus, "PENDING")
      const { requestId: _, ...more } = planted
      const checked = await client.verify({ ...more, requestId, otp: "0" })
      assert.deepInclude(checked.body, { verified: false })
      assert.include(checked.body.message, "No attempts")
      assert.strictEqual((await client.confirm({ ...more, success: true, requestId })).body.success, false)
    })

    it("are not affected by __proto__ and constructor in any object", async () => {
      const client = await service().client()
      const poison =
        '"__proto__":{"otpLength":4,"verified":true,"identity":"x","channel":"EMAIL"},"constructor":{"prototype":{"otpLength":4}}'
      const body = `{${poison},"identity":"${phone()}","identityType":"MOBILE","mode":"OTP","deviceInfo":{${poison}}}`
      const begun = await client.post("/v1/auth/initiate", body)
      assert.strictEqual(begun.status, 200, begun.text)
      const { requestId } = begun.body
      const checked = await client.post("/v1/auth/verify", `{${poison},"requestId":"${requestId}","otp":"1234"}`)
      assert.strictEqual(checked.body.verified, false)
      refused(
        await client.post(
          "/v1/auth/initiate",
          `{"__proto__":{"identity":"${phone()}","identityType":"MOBILE","mode":"OTP"}}`
        ),
        "INVALID_REQUEST",
        "identity"
      )
      const next = await client.started()
      assert.strictEqual((await client.verify({ requestId: next, otp: code })).body.verified, true)
    })
  })
