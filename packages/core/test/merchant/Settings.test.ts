import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { defaultSettings, operator, Settings } from "../../src/index.ts"
import { dataUrl, png } from "../fixtures/png.ts"
import { indian, makeProcess, makeStorage, makeWorld, otp, withSettings } from "../fixtures/World.ts"

/** The name, the lowest and the highest value of each number. */
const ranges = [
  ["codeLength", 4, 8],
  ["codeExpirySeconds", 30, 900],
  ["maxAttempts", 1, 10],
  ["hourlyLimit", 1, 1000],
  ["hourlyLimitPerAddress", 0, 100_000],
  ["hourlyLimitPerPrefix", 1, 1_000_000],
  ["hourlyLimitPerCountry", 1, 10_000_000],
  ["hourlyLimitPerMerchant", 1, 10_000_000],
  ["canonicalHourlyLimit", 0, 3000],
  ["maxConsecutiveFailures", 0, 1000],
  ["resendCooldownSeconds", 0, 600],
  ["maxResends", 0, 100],
  ["maxLifetimeSeconds", 60, 86_400],
  ["fallbackAfterSeconds", 30, 900],
  ["oneTapDays", 1, 365],
  ["oneTapMaxDays", 1, 365],
  ["sdkInitiatesPerIpPerHour", 1, 100_000],
  ["sdkMessagesPerHour", 1, 1000],
  ["attributionPerHour", 1, 10_000_000]
] as const

/** `count` prices by prefix. */
const prefixes = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [String(1_000 + index), index]))

const refuses = (name: string, value: unknown, field: string) =>
  Effect.gen(function* () {
    const { live, merchants } = yield* makeWorld({ idle: true })
    const error = yield* Effect.flip(merchants.changeSettings(live, { [name]: value }))
    assert.deepStrictEqual([error._tag, "field" in error && error.field], ["InvalidField", field])
  })

describe("a list of countries in a setting", () => {
  it.effect("accepts ISO 3166 codes and calling codes without a country; UK is refused with a hint at GB", () =>
    Effect.gen(function* () {
      const { live, merchants } = yield* makeWorld({ idle: true })
      yield* merchants.changeSettings(live, { allowedCountries: ["GB", "+881", "+979"] })
      for (const [entry, says] of [
        ["UK", "GB"],
        ["ZZ", "ISO 3166"],
        ["in", "ISO 3166"],
        ["+91", "+881"],
        ["+1900", "+881"],
        ["881", "+881"]
      ] as const) {
        const error = yield* Effect.flip(merchants.changeSettings(live, { allowedCountries: ["IN", entry] }))
        assert.include(JSON.stringify(error), says, entry)
      }
    })
  )
})

describe("settings", () => {
  it("have the documented defaults", () => {
    assert.deepStrictEqual(defaultSettings, {
      codeLength: 6,
      codeExpirySeconds: 300,
      maxAttempts: 3,
      hourlyLimit: 10,
      canonicalHourlyLimit: null,
      hourlyLimitPerAddress: 0,
      hourlyLimitPerPrefix: null,
      hourlyLimitPerCountry: null,
      hourlyLimitPerMerchant: null,
      maxConsecutiveFailures: 100,
      resendCooldownSeconds: 0,
      maxResends: 20,
      maxLifetimeSeconds: 1800,
      defaultCountry: "IN",
      primaryChannel: "SMS",
      fallbackChannel: null,
      fallbackAfterSeconds: 60,
      oneTap: false,
      oneTapDays: 30,
      oneTapMaxDays: 90,
      strictReverify: false,
      requirePasskey: false,
      answerAssigns: true,
      redirectUris: [],
      linkNumberMatch: false,
      allowedOrigins: ["*"],
      serverAddresses: [],
      sdkInitiatesPerIpPerHour: 30,
      sdkMessagesPerHour: 10,
      attributionPerHour: 100_000,
      allowedCountries: null,
      blockedPrefixes: [],
      blockedNumberTypes: [],
      guardEnforces: [],
      guardLineTypes: [],
      guardSimSwapHours: 0,
      guardRecycledDays: 0,
      safeList: [],
      brand: "Countersign",
      brandColor: null,
      brandLogo: null,
      locale: "en",
      appHash: null,
      domain: null,
      timeZone: "Asia/Kolkata",
      quietHours: null,
      billing: "OFF",
      prices: {},
      dailyCap: {},
      balanceLowAt: null,
      campaignFloor: null
    })
    assert.isTrue(Schema.is(Settings)(defaultSettings))
  })

  it.effect.each(ranges)("%s accepts %i to %i", ([name, minimum, maximum]) =>
    Effect.gen(function* () {
      const { live, merchants } = yield* makeWorld({ idle: true })
      for (const value of [minimum, maximum]) {
        const changed = yield* merchants.changeSettings(live, { [name]: value })
        assert.strictEqual(changed[name], value)
        assert.deepStrictEqual(yield* merchants.settings(live), changed)
      }
      const before = yield* merchants.settings(live)
      const bad = [minimum - 1, maximum + 1, minimum + 0.5, String(minimum), Number.NaN, true, [], {}, undefined]
      for (const value of bad) {
        const error = yield* Effect.flip(merchants.changeSettings(live, { brand: "Lost", [name]: value }))
        assert.deepStrictEqual([error._tag, "field" in error && error.field], ["InvalidField", name])
      }
      assert.deepStrictEqual(yield* merchants.settings(live), before)
    })
  )

  it.effect.each([
    ["canonicalHourlyLimit", null],
    ["fallbackChannel", null],
    ["fallbackChannel", "WHATSAPP"],
    ["primaryChannel", "EMAIL"],
    ["oneTap", true],
    ["strictReverify", true],
    ["redirectUris", ["https://a.example/back"]],
    ["allowedOrigins", []],
    ["allowedCountries", ["IN", "SG"]],
    ["allowedCountries", null],
    ["blockedPrefixes", ["882"]],
    ["blockedNumberTypes", ["PREMIUM_RATE", "FIXED_LINE"]],
    ["guardEnforces", ["PREFIX_UNVERIFIED"]],
    ["guardLineTypes", ["nonFixedVoip", "landline"]],
    ["guardSimSwapHours", 2400],
    ["guardRecycledDays", 3650],
    ["safeList", ["919876543210", "9199"]],
    ["locale", "hi"],
    ["locale", "pt_BR"],
    ["brand", "Ünï"],
    ["brandColor", "#0F766e"],
    ["brandColor", null],
    ["brandLogo", dataUrl(png())],
    ["brandLogo", null],
    ["appHash", "AbCdEfGhIjK"],
    ["domain", "a.example"],
    ["timeZone", "America/Argentina/Buenos_Aires"],
    ["quietHours", { from: "21:00", to: "08:30" }],
    ["quietHours", null],
    ["billing", "PREPAID"],
    ["prices", { SMS: 25, WHATSAPP: { default: 0, prefixes: { "1": 1, "977": 1_000_000_000 } } }],
    ["prices", { SMS: { default: 1, prefixes: prefixes(1000) } }],
    ["dailyCap", { SMS: 1_000_000_000_000, EMAIL: 0, RCS: null }],
    ["balanceLowAt", 0],
    ["balanceLowAt", 1_000_000_000_000],
    ["balanceLowAt", null],
    ["campaignFloor", 0],
    ["campaignFloor", 1_000_000_000_000],
    ["campaignFloor", null]
  ] as const)("%s accepts %j", ([name, value]) =>
    Effect.gen(function* () {
      const { live, merchants } = yield* makeWorld({ idle: true })
      yield* merchants.changeSettings({ ...live, actor: operator }, { [name]: value })
      assert.deepStrictEqual((yield* merchants.settings(live))[name], value)
    })
  )

  it.effect.each([
    ["primaryChannel", null],
    ["primaryChannel", "sms"],
    ["fallbackChannel", "auto"],
    ["oneTap", "true"],
    ["oneTap", 1],
    ["redirectUris", "https://a.example"],
    ["redirectUris", Array<string>(101).fill("https://a.example")],
    ["brand", "x".repeat(61)],
    ["brand", "two\nlines"],
    ["brand", "\ud83d"],
    ["brandColor", "red"],
    ["brandColor", "red;}"],
    ["brandColor", "#fff"],
    ["brandColor", "#0f766e\n"],
    ["brandColor", "#0f766e;}body{display:none"],
    ["brandColor", 0x0f766e],
    ["brandLogo", ""],
    ["brandLogo", "https://example.com/logo.png"],
    ["brandLogo", "data:image/svg+xml,<svg onload=alert(1)>"],
    ["brandLogo", `${dataUrl(png())}"><script>`],
    ["appHash", "too short"],
    ["domain", "https://a.example"],
    ["locale", "english"],
    ["locale", "en-US\n"],
    ["billing", "ON"],
    ["timeZone", "+05:30"],
    ["timeZone", "Asia/Atlantis"],
    ["quietHours", []],
    ["guardSimSwapHours", 2401],
    ["guardRecycledDays", -1],
    ["balanceLowAt", -1],
    ["balanceLowAt", 1_000_000_000_001],
    ["campaignFloor", -1],
    ["codeLength", null]
  ] as const)("%s refuses %j", ([name, value]) => refuses(name, value, name))

  it.effect.each([
    ["redirectUris", ["nonsense"], ".0"],
    ["redirectUris", ["https://a.example/back", "https://a.example/x/../back"], ".1"],
    ["allowedCountries", ["in"], ".0"],
    ["allowedCountries", ["IN", "IND"], ".1"],
    ["blockedPrefixes", ["+882"], ".0"],
    ["blockedNumberTypes", ["MOBILE"], ".0"],
    ["guardEnforces", ["LUCK"], ".0"],
    ["guardLineTypes", ["mobile"], ".0"],
    ["safeList", ["+9199"], ".0"],
    ["serverAddresses", ["203.0.113.0/24", "203.0.113.0/33"], ".1"],
    ["serverAddresses", ["loopback"], ".0"],
    ["serverAddresses", ["010.0.0.1"], ".0"],
    ["prices", { SMS: -1 }, ".SMS"],
    ["prices", { SMS: 0.5 }, ".SMS"],
    ["prices", { SMS: null }, ".SMS"],
    ["prices", { SMS: 1_000_000_001 }, ".SMS"],
    ["prices", { SMS: 1, sms: 1 }, ".sms"],
    ["prices", { PIGEON: 1 }, ".PIGEON"],
    ["prices", { SMS: { prefixes: {} } }, ".SMS.default"],
    ["prices", { SMS: { default: 1 } }, ".SMS.prefixes"],
    ["prices", { SMS: { default: 1, prefixes: { "977": -1 } } }, ".SMS.prefixes.977"],
    ["prices", { SMS: { default: 1, prefixes: { "977": null } } }, ".SMS.prefixes.977"],
    ["prices", { SMS: { default: 1, prefixes: { "+977": 1 } } }, ".SMS.prefixes.+977"],
    ["prices", { SMS: { default: 1, prefixes: { "0977": 1 } } }, ".SMS.prefixes.0977"],
    ["prices", { SMS: { default: 1, prefixes: { "": 1 } } }, ".SMS.prefixes."],
    ["prices", { SMS: { default: 1, prefixes: { ["9".repeat(16)]: 1 } } }, `.SMS.prefixes.${"9".repeat(16)}`],
    ["prices", { SMS: { default: 1, prefixes: prefixes(1001) } }, ".SMS.prefixes"],
    ["prices", { SMS: { default: 1, prefixes: {}, prefix: 1 } }, ".SMS.prefix"],
    ["prices", JSON.parse('{"__proto__":{"SMS":1}}'), ".__proto__"],
    ["prices", { ["x".repeat(50_000)]: 1 }, `.${"x".repeat(64)}`],
    ["dailyCap", { SMS: -1 }, ".SMS"],
    ["dailyCap", { SMS: 1_000_000_000_001 }, ".SMS"],
    ["dailyCap", { Sms: 1 }, ".Sms"],
    ["quietHours", { from: "24:00", to: "08:00" }, ".from"],
    ["quietHours", { from: "21:00" }, ".to"],
    ["quietHours", { from: "21:00", to: "08:00", on: "SUN" }, ".on"]
  ] as const)("%s refuses %j, and the error names %s", ([name, value, inside]) =>
    refuses(name, value, `${name}${inside}`)
  )

  it.effect("change one by one, in one environment", () =>
    Effect.gen(function* () {
      const { live, merchants, test } = yield* makeWorld({ idle: true })
      yield* merchants.changeSettings(live, { codeLength: 8 })
      const changed = yield* merchants.changeSettings(live, { maxAttempts: 5 })
      const acme = { ...defaultSettings, brand: "Acme" }
      assert.deepStrictEqual(changed, { ...acme, codeLength: 8, maxAttempts: 5 })
      assert.deepStrictEqual(yield* merchants.settings(live), changed)
      assert.deepStrictEqual(yield* merchants.settings(test), acme)
    })
  )

  it.effect("with unknown names are refused with a suggestion, and nothing changes", () =>
    Effect.gen(function* () {
      const { live, merchants } = yield* makeWorld({ idle: true })
      for (const [name, problem] of [
        ["codelength", "is not a setting; did you mean codeLength?"],
        ["maxAttempt", "is not a setting; did you mean maxAttempts?"],
        ["oneTapDay", "is not a setting; did you mean oneTapDays?"],
        ["password", "is not a setting"],
        ["__proto__", "is not a setting"],
        ["constructor", "is not a setting"],
        ["", "is not a setting"],
        ["x".repeat(100_000), "is not a setting"]
      ] as const) {
        const hostile = JSON.parse(`{"maxAttempts":5,${JSON.stringify(name)}:1}`)
        const refused = yield* Effect.flip(merchants.changeSettings(live, hostile))
        const shown = refused._tag === "InvalidField" ? [refused.field, refused.problem] : refused
        assert.deepStrictEqual(shown, [name.slice(0, 64), problem])
      }
      assert.deepStrictEqual(yield* merchants.settings(live), { ...defaultSettings, brand: "Acme" })
    })
  )

  it.effect("are all stored when many change concurrently", () =>
    Effect.gen(function* () {
      const { live, merchants } = yield* makeWorld({ idle: true })
      yield* Effect.forEach(ranges, ([name, , maximum]) => merchants.changeSettings(live, { [name]: maximum }), {
        concurrency: "unbounded"
      })
      const settings = yield* merchants.settings(live)
      assert.deepStrictEqual(
        ranges.map(([name]) => settings[name]),
        ranges.map(([, , maximum]) => maximum)
      )
    })
  )

  it.effect("reach every process within five seconds, and apply to verifications from then on", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const { keys, live, merchants } = yield* makeWorld({ storage, idle: true })
      const other = yield* makeProcess(storage, { idle: true })
      const caller = other.merchants.authenticate(keys.live.clientId, keys.live.clientSecret)
      yield* caller
      yield* merchants.changeSettings(live, { codeLength: 8, maxAttempts: 1, codeExpirySeconds: 30 })
      yield* TestClock.adjust("5 seconds")
      const { verification } = yield* other.verifications.initiate(yield* caller, otp(indian))
      const { codeLength, createdAt, expiresAt, maxAttempts } = verification
      assert.deepStrictEqual([codeLength, maxAttempts, expiresAt - createdAt], [8, 1, 30_000])
    })
  )

  it.effect("that change later do not affect a live verification", () =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeWorld({ idle: true })
      const first = (yield* verifications.initiate(live, otp(indian))).verification
      const later = withSettings(live, {
        codeLength: 4,
        maxAttempts: 1,
        maxLifetimeSeconds: 60,
        codeExpirySeconds: 900
      })
      const { codeLength, endsAt, expiresAt, maxAttempts } = (yield* verifications.initiate(later, otp(indian)))
        .verification
      assert.deepStrictEqual(
        { codeLength, endsAt, expiresAt: expiresAt - first.createdAt, maxAttempts },
        { codeLength: 6, endsAt: first.endsAt, expiresAt: 900_000, maxAttempts: 3 }
      )
    })
  )
})
