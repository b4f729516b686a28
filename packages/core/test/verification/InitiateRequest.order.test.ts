import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { Settings } from "../../src/index.ts"
import type { ChannelName } from "../../src/index.channel.ts"
import { settingsWith, withChannels } from "../fixtures/decisions.ts"
import { check, type InitiateRequest } from "../../src/auth/verification/InitiateRequest.ts"

type Name = typeof ChannelName.Type

const enabled: ReadonlyArray<Name> = ["SMS", "WHATSAPP", "EMAIL"]

/** The error of a request in short form, or null. */
const refusal = (
  request: Partial<InitiateRequest>,
  settings: Partial<Settings> = {},
  channels: ReadonlyArray<Name> = enabled
): string | null => {
  const result = check(
    { identity: "9876543210", identityType: "MOBILE", mode: "OTP", ...request },
    settingsWith(settings),
    withChannels(channels, { WHATSAPP: { senders: ["100200300"] } })
  )
  if (Result.isSuccess(result)) return null
  const { failure } = result
  return failure._tag === "InvalidField" ? `InvalidField ${failure.field}` : failure._tag
}

describe("the order in which initiate checks a request", () => {
  /** Each fault with its error, in the order of the checks. Two faults together report the earlier one. */
  const faults: ReadonlyArray<readonly [string, Partial<InitiateRequest>]> = [
    ["InvalidField identityType", { identityType: "PHONE" }],
    ["InvalidField identity", { identity: "12" }],
    ["InvalidField orderId", { orderId: "" }],
    ["InvalidField otpLength", { otpLength: 9 }],
    ["InvalidField templateId", { templateId: "12" }],
    ["InvalidField header", { header: "ABC" }],
    ["InvalidField wabaId", { wabaId: "x" }],
    ["InvalidField state", { state: "x".repeat(513) }],
    ["InvalidField deviceInfo", { deviceInfo: { a: "x".repeat(5000) } }],
    ["InvalidMode", { mode: "otp" }]
  ]
  const pairs = faults.flatMap(([first, one], i) =>
    faults.slice(i + 1).map(([second, two]) => ({ first, one, second, two }))
  )

  it.each(pairs)("reports $first before $second", ({ first, one, two }) => {
    assert.strictEqual(refusal({ ...two, ...one }), first)
  })

  it.each([
    ["InvalidMode before CHANNEL_REQUIRED", { mode: "LINK", redirectUri: "https://x" }, "InvalidMode"],
    ["InvalidMode before InvalidChannel", { mode: "LINK", channel: "auto" }, "InvalidMode"],
    ["ChannelRequired before RedirectUriRequired", { mode: "OAUTH" }, "ChannelRequired"],
    ["InvalidChannel before RedirectUriRequired", { mode: "OAUTH", channel: "SMS" }, "InvalidChannel"],
    [
      "RedirectUriRequired before what is for one channel",
      { mode: "OAUTH", channel: "WHATSAPP", header: "ABCDEF" },
      "RedirectUriRequired"
    ],
    ["InvalidChannel before what is for one channel", { channel: "EMAIL", header: "ABCDEF" }, "InvalidChannel"]
  ] as const)("reports %s", (_what, request, expected) => {
    assert.strictEqual(refusal(request), expected)
  })
})

describe("the channels of a request", () => {
  const cases: ReadonlyArray<readonly [Partial<InitiateRequest>, string | null]> = [
    [{ channel: "SMS" }, null],
    [{ channel: "WHATSAPP" }, null],
    [{ channel: "RCS" }, "InvalidChannel"],
    [{ channel: "EMAIL" }, "InvalidChannel"],
    [{ channel: "TRUECALLER" }, "InvalidChannel"],
    [{ channel: "auto" }, "InvalidChannel"],
    [{ channel: "AUTO" }, "InvalidChannel"],
    [{ channel: "sms" }, "InvalidChannel"],
    [{ channel: "Sms" }, "InvalidChannel"],
    [{ channel: " SMS" }, "InvalidChannel"],
    [{ channel: "" }, "InvalidChannel"],
    [{ channel: "__proto__" }, "InvalidChannel"],
    [{ channel: "constructor" }, "InvalidChannel"],
    [{ channel: "toString" }, "InvalidChannel"],
    [{ identity: "a@example.com", identityType: "EMAIL", channel: "EMAIL" }, null],
    [{ identity: "a@example.com", identityType: "EMAIL" }, null],
    [{ identity: "a@example.com", identityType: "EMAIL", channel: "SMS" }, "InvalidChannel"],
    [{ identity: "a@example.com", identityType: "EMAIL", channel: "WHATSAPP" }, "InvalidChannel"],
    [{ identity: "a@example.com", identityType: "EMAIL", mode: "OAUTH", channel: "WHATSAPP" }, "InvalidChannel"],
    [{ mode: "OAUTH", channel: "EMAIL" }, "InvalidChannel"],
    [{ mode: "OAUTH", channel: "RCS" }, "InvalidChannel"]
  ]

  it.each(cases)("are checked in %j: %s", (request, expected) => {
    assert.strictEqual(refusal(request), expected)
  })

  it("are accepted only when they are enabled", () => {
    assert.strictEqual(refusal({ channel: "RCS" }, {}, ["RCS"]), null)
    assert.strictEqual(refusal({ channel: "SMS" }, {}, ["RCS"]), "InvalidChannel")
    assert.strictEqual(refusal({}, { primaryChannel: "RCS" }, ["RCS"]), null)
    assert.strictEqual(refusal({}, {}, ["EMAIL"]), "InvalidChannel")
    assert.strictEqual(refusal({}, {}, []), "InvalidChannel")
  })

  it.each([
    [["RCS", "WHATSAPP", "EMAIL"], "WHATSAPP"],
    [["EMAIL", "RCS"], "RCS"],
    [["TRUECALLER", "WHATSAPP", "SMS"], "SMS"]
  ] as const)(
    "of %j default to the first of SMS, WHATSAPP, RCS when the merchant's primary channel is not enabled",
    (names, expected) => {
      const request = { identity: "9876543210", identityType: "MOBILE", mode: "OTP" }
      const settings = settingsWith({ primaryChannel: "EMAIL" })
      assert.strictEqual(Result.getOrThrow(check(request, settings, withChannels(names))).channel, expected)
    }
  )

  const mailOnly = { SMS: { identityTypes: ["EMAIL"] } } as const
  const linksOnly = { WHATSAPP: { kinds: ["Link"] } } as const

  it.each([
    ["names a channel that carries e-mail only", { channel: "SMS" }, mailOnly, null, "InvalidChannel"],
    ["names a channel that carries no codes", { channel: "WHATSAPP" }, linksOnly, null, "InvalidChannel"],
    ["has a primary channel that carries e-mail only", {}, mailOnly, null, "WHATSAPP"],
    ["has a fallback that carries no codes", {}, linksOnly, "WHATSAPP", "SMS"],
    [
      "has an address, for a channel that says it carries addresses",
      { channel: "SMS", identity: "a@example.com", identityType: "EMAIL" },
      mailOnly,
      null,
      "SMS"
    ]
  ] as const)(
    "are chosen by their declared support when a request %s",
    (_what, request, supports, fallback, expected) => {
      const result = check(
        { identity: "9876543210", identityType: "MOBILE", mode: "OTP", ...request },
        settingsWith({ fallbackChannel: fallback }),
        withChannels(["SMS", "WHATSAPP"], supports)
      )
      assert.strictEqual(Result.isSuccess(result) ? result.success.channel : result.failure._tag, expected)
      if (Result.isSuccess(result)) assert.isNull(result.success.fallback)
    }
  )

  it.each([
    ["MOBILE", "SMS", "SMS"],
    ["MOBILE", "WHATSAPP", "WHATSAPP"],
    ["MOBILE", "EMAIL", "SMS"],
    ["MOBILE", "TRUECALLER", "SMS"],
    ["EMAIL", "SMS", "EMAIL"],
    ["EMAIL", "EMAIL", "EMAIL"]
  ] as const)("default for %s with primary %s and no channel named: %s", (identityType, primaryChannel, expected) => {
    const identity = identityType === "EMAIL" ? "a@example.com" : "9876543210"
    const result = check(
      { identity, identityType, mode: "OTP" },
      settingsWith({ primaryChannel }),
      withChannels(["SMS", "WHATSAPP", "RCS", "EMAIL"])
    )
    assert.strictEqual(Result.getOrThrow(result).channel, expected)
  })
})

describe("fields that belong to one channel", () => {
  const templateId = "1".repeat(19)

  it.each([
    [{ templateId }, null],
    [{ header: "ABCDEF" }, null],
    [{ templateId, channel: "WHATSAPP" }, "InvalidField templateId"],
    [{ header: "ABCDEF", channel: "WHATSAPP" }, "InvalidField header"],
    [{ wabaId: "100200300" }, "InvalidField wabaId"],
    [{ wabaId: "100200300", channel: "WHATSAPP" }, null],
    [{ wabaId: "100200301", channel: "WHATSAPP" }, "InvalidField wabaId"]
  ] as const)("are checked in %j: %s", (request, expected) => {
    assert.strictEqual(refusal(request), expected)
  })

  it("are checked against the primary channel when the request names no channel", () => {
    assert.strictEqual(refusal({ header: "ABCDEF" }, { primaryChannel: "WHATSAPP" }), "InvalidField header")
    assert.strictEqual(refusal({ wabaId: "100200300" }, { primaryChannel: "WHATSAPP" }), null)
  })
})

describe("the mode of a request", () => {
  it.each(["otp", "Otp", "OTP ", "", "LINK", "oauth", "magic_link", "__proto__", "constructor", "0"])(
    "cannot be %j",
    (mode) => {
      assert.strictEqual(refusal({ mode }), "InvalidMode")
    }
  )

  it("with a link returns only to registered addresses", () => {
    const settings = { redirectUris: ["https://app.example.com/back"] }
    const asked = (redirectUri: string | null) => refusal({ mode: "OAUTH", channel: "WHATSAPP", redirectUri }, settings)
    assert.strictEqual(asked(null), "RedirectUriRequired")
    for (const uri of [
      "",
      "https://app.example.com",
      "https://app.example.com/back/",
      "HTTPS://APP.EXAMPLE.COM/back"
    ]) {
      assert.strictEqual(asked(uri), "InvalidField redirectUri")
    }
  })
})
