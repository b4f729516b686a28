import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { Settings } from "../../src/index.ts"
import type { ChannelName } from "../../src/index.channel.ts"
import { settingsWith, withChannels } from "../fixtures/decisions.ts"
import { check, type InitiateRequest } from "../../src/auth/verification/InitiateRequest.ts"

type Name = typeof ChannelName.Type

const enabled: ReadonlyArray<Name> = ["SMS", "WHATSAPP", "EMAIL"]

/** What a request is refused with, in short; null when it is fine. */
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

describe("the order of the checks of initiate", () => {
  /** Each fault with its answer, in the order in which they are found; any two together answer as the earlier one. */
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

  it.each(pairs)("finds $first before $second", ({ first, one, two }) => {
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
  ] as const)("finds %s", (_what, request, expected) => {
    assert.strictEqual(refusal(request), expected)
  })
})

describe("channels", () => {
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

  it.each(cases)("%j: %s", (request, expected) => {
    assert.strictEqual(refusal(request), expected)
  })

  it("that are enabled can be used, and no others", () => {
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
    "of %j the primary one is the first of SMS, WHATSAPP, RCS where the merchant's is not enabled",
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
    "what they say of themselves decides when a request %s",
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
  ] as const)("for %s with primary %s and none named: %s", (identityType, primaryChannel, expected) => {
    const identity = identityType === "EMAIL" ? "a@example.com" : "9876543210"
    const result = check(
      { identity, identityType, mode: "OTP" },
      settingsWith({ primaryChannel }),
      withChannels(["SMS", "WHATSAPP", "RCS", "EMAIL"])
    )
    assert.strictEqual(Result.getOrThrow(result).channel, expected)
  })
})

describe("fields for one channel", () => {
  const templateId = "1".repeat(19)

  it.each([
    [{ templateId }, null],
    [{ header: "ABCDEF" }, null],
    [{ templateId, channel: "WHATSAPP" }, "InvalidField templateId"],
    [{ header: "ABCDEF", channel: "WHATSAPP" }, "InvalidField header"],
    [{ wabaId: "100200300" }, "InvalidField wabaId"],
    [{ wabaId: "100200300", channel: "WHATSAPP" }, null],
    [{ wabaId: "100200301", channel: "WHATSAPP" }, "InvalidField wabaId"]
  ] as const)("%j: %s", (request, expected) => {
    assert.strictEqual(refusal(request), expected)
  })

  it("follow the primary channel when none is named", () => {
    assert.strictEqual(refusal({ header: "ABCDEF" }, { primaryChannel: "WHATSAPP" }), "InvalidField header")
    assert.strictEqual(refusal({ wabaId: "100200300" }, { primaryChannel: "WHATSAPP" }), null)
  })
})

describe("modes", () => {
  it.each(["otp", "Otp", "OTP ", "", "LINK", "oauth", "magic_link", "__proto__", "constructor", "0"])(
    "%j is none",
    (mode) => {
      assert.strictEqual(refusal({ mode }), "InvalidMode")
    }
  )

  it("with a link return only to addresses that are registered", () => {
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
