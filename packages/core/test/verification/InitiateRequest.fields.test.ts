import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { identityOf, settingsWith, withChannels } from "../fixtures/decisions.ts"
import {
  check,
  type CheckedRequest,
  checkDeviceInfo,
  checkOrderId,
  type InitiateRequest
} from "../../src/auth/verification/InitiateRequest.ts"

const checked = (request: Partial<InitiateRequest> = {}) =>
  check({ identity: "9876543210", identityType: "MOBILE", mode: "OTP", ...request }, settingsWith(), withChannels())

/** The field for which the request is refused, or null. */
const refusedField = (request: Partial<InitiateRequest>) => {
  const result = checked(request)
  return Result.isSuccess(result) ? null : result.failure._tag === "InvalidField" ? result.failure.field : "?"
}

const plain: CheckedRequest = {
  identity: identityOf("9876543210"),
  flow: { kind: "Code", mode: "OTP" },
  channel: "SMS",
  orderId: null,
  codeLength: 6,
  options: {},
  fallback: null,
  deviceInfo: null,
  launchId: null
}

describe("a request for a code", () => {
  it("accepts every field", () => {
    const request = {
      channel: "SMS",
      orderId: "o1",
      otpLength: 4,
      templateId: "1234567890123456789",
      header: "AcmeOT",
      redirectUri: "https://ignored.example",
      state: "s",
      deviceToken: "dvc_1",
      deviceInfo: { platform: "ios" }
    }
    assert.deepStrictEqual(Result.getOrThrow(checked(request)), {
      ...plain,
      orderId: "o1",
      codeLength: 4,
      options: { templateId: "1234567890123456789", header: "AcmeOT" },
      deviceInfo: '{"platform":"ios"}'
    })
    assert.deepStrictEqual(Result.getOrThrow(checked({ channel: "WHATSAPP", wabaId: "100200300" })).options, {
      wabaId: "100200300"
    })
  })

  it("needs only an identity, its type and a mode; null is the same as absent", () => {
    const nulls = {
      channel: null,
      orderId: null,
      otpLength: null,
      templateId: null,
      header: null,
      wabaId: null,
      redirectUri: null,
      state: null,
      deviceToken: null,
      deviceInfo: null
    }
    assert.deepStrictEqual(Result.getOrThrow(checked()), plain)
    assert.deepStrictEqual(Result.getOrThrow(checked(nulls)), plain)
  })

  it("takes the length of the code from the settings by default", () => {
    const result = check(
      { identity: "9876543210", identityType: "MOBILE", mode: "OTP" },
      settingsWith({ codeLength: 8 }),
      withChannels()
    )
    assert.strictEqual(Result.getOrThrow(result).codeLength, 8)
  })

  it.each([
    ["MOBILE", null, "WHATSAPP", "SMS", { channel: "WHATSAPP", after: 45_000 }],
    ["MOBILE", "WHATSAPP", "SMS", "SMS", { channel: "SMS", after: 45_000 }],
    ["MOBILE", null, "SMS", "SMS", null],
    ["MOBILE", null, "EMAIL", "SMS", null],
    ["MOBILE", null, "RCS", "SMS", null],
    ["MOBILE", null, null, "SMS", null],
    ["EMAIL", null, "SMS", "EMAIL", null]
  ] as const)(
    "for %s over %s with fallback %s takes the fallback of the settings where it applies",
    (identityType, channel, fallbackChannel, primaryChannel, fallback) => {
      const identity = identityType === "EMAIL" ? "a@example.com" : "9876543210"
      const settings = settingsWith({ fallbackChannel, primaryChannel, fallbackAfterSeconds: 45 })
      const result = check(
        { identity, identityType, mode: "OTP", channel },
        settings,
        withChannels(["SMS", "WHATSAPP", "EMAIL"])
      )
      assert.deepStrictEqual(Result.getOrThrow(result).fallback, fallback)
    }
  )

  it.each([
    ["WHATSAPP", { channel: "SMS", after: 60_000 }],
    ["TRUECALLER", null]
  ] as const)(
    "for a login over %s takes the fallback of the channel, and none where nothing is sent",
    (channel, fallback) => {
      const redirectUri = "https://app.example.com/back"
      const result = check(
        { identity: "9876543210", identityType: "MOBILE", mode: "OAUTH", channel, redirectUri },
        settingsWith({ fallbackChannel: "SMS", redirectUris: [redirectUri] }),
        withChannels(),
        { isConnected: false, verifiers: ["TRUECALLER"], hasLinks: true }
      )
      assert.deepStrictEqual(Result.getOrThrow(result).fallback, fallback)
    }
  )

  it.each(["", "mobile", "PHONE", "MOBILE ", "__proto__", "toString"])(
    "is refused for the identityType %j",
    (identityType) => {
      assert.strictEqual(refusedField({ identityType }), "identityType")
    }
  )

  it("is refused when the identity does not match its type", () => {
    assert.strictEqual(refusedField({ identity: "a@example.com" }), "identity")
    assert.strictEqual(refusedField({ identityType: "EMAIL" }), "identity")
  })

  it.each([
    [3, "otpLength"],
    [4, null],
    [8, null],
    [9, "otpLength"],
    [0, "otpLength"],
    [-6, "otpLength"],
    [5.5, "otpLength"],
    [Number.NaN, "otpLength"],
    [Number.POSITIVE_INFINITY, "otpLength"],
    [1e300, "otpLength"]
  ])("with otpLength %d: %s", (otpLength, expected) => {
    assert.strictEqual(refusedField({ otpLength }), expected)
  })

  it.each([
    ["templateId", "1".repeat(18)],
    ["templateId", "1".repeat(20)],
    ["templateId", `${"1".repeat(18)}a`],
    ["templateId", `${"1".repeat(19)}\n`],
    ["templateId", "１".repeat(19)],
    ["templateId", ""],
    ["header", "ABCDE"],
    ["header", "ABCDEFG"],
    ["header", "ABCD12"],
    ["header", "ABCDÉF"],
    ["header", "ABCDEF\n"],
    ["header", ""],
    ["wabaId", ""],
    ["wabaId", "12 34"],
    ["wabaId", "1".repeat(33)],
    ["wabaId", "../1"],
    ["state", "x".repeat(513)],
    ["state", "a\0b"],
    ["state", "\ud83d"]
  ])("is refused for %s %j", (field, value) => {
    assert.strictEqual(refusedField({ channel: field === "wabaId" ? "WHATSAPP" : "SMS", [field]: value }), field)
  })

  it("accepts a state of up to 512 characters", () => {
    assert.strictEqual(refusedField({ state: "x".repeat(512) }), null)
  })

  it.each([
    ["1 character", "x", true],
    ["255 characters", "x".repeat(255), true],
    ["anything printable", "Auftrag № 7/ü 🎉 ' OR 1=1 --", true],
    ["256 characters", "x".repeat(256), false],
    ["nothing", "", false],
    ["a null character", "a\0b", false],
    ["half an emoji", "a\ud83d", false]
  ])("accepts an orderId of %s", (_what, orderId, fine) => {
    assert.strictEqual(refusedField({ orderId }), fine ? null : "orderId")
    assert.strictEqual(Result.isSuccess(checkOrderId(orderId)), fine)
  })
})

describe("deviceInfo", () => {
  const sized = (character: string, bytes: number) => {
    const room = bytes - '{"a":""}'.length
    const one = Buffer.byteLength(character)
    return { a: character.repeat(Math.floor(room / one)) + "x".repeat(room % one) }
  }
  const accepted = (value: Parameters<typeof checkDeviceInfo>[0]) => Result.isSuccess(checkDeviceInfo(value))

  it.each([
    ["one byte", "a"],
    ["two bytes", "ü"],
    ["three bytes", "€"],
    ["four bytes", "🎉"]
  ])("is limited by the bytes of its JSON: characters of %s", (_what, character) => {
    assert.strictEqual(Buffer.byteLength(JSON.stringify(sized(character, 4096))), 4096)
    assert.deepStrictEqual([accepted(sized(character, 4096)), accepted(sized(character, 4097))], [true, false])
  })

  it("is limited by its JSON as written, escapes included", () => {
    const escaped = (count: number) => ({ a: '"'.repeat(count) })
    assert.deepStrictEqual([accepted(escaped(2044)), accepted(escaped(2045))], [true, false])
  })

  it("is kept as JSON text with any keys", () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":"\\u0000"}')
    const kept = Result.getOrThrow(checkDeviceInfo(hostile))
    assert.strictEqual(kept, JSON.stringify(hostile))
    assert.strictEqual(({} as { readonly polluted?: unknown }).polluted, undefined)
    assert.deepStrictEqual(
      [Result.getOrThrow(checkDeviceInfo({})), Result.getOrThrow(checkDeviceInfo(null))],
      ["{}", null]
    )
  })

  it("may be nested as deep as the limit allows; deeper JSON is refused without a stack overflow", () => {
    const nested = (depth: number) => {
      let value: { [name: string]: unknown } = {}
      for (let i = 0; i < depth; i++) value = { a: value }
      return value
    }
    assert.isTrue(accepted(nested(600)))
    assert.isFalse(accepted(nested(2000)))
    assert.isFalse(accepted(nested(100_000)))
  })

  it("is refused when it is not plain JSON", () => {
    const circular: { [name: string]: unknown } = {}
    circular["self"] = circular
    assert.isFalse(accepted(circular))
    assert.isFalse(accepted({ big: 1n }))
  })
})
