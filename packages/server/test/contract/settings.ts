import { assert, describe, it } from "vitest"
import { code, phone, refused, wrong } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"
import * as Wire from "../fixture/Wire.ts"
import type { Once } from "./Once.ts"

const defaults = {
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
  redirectUris: [],
  requirePasskey: false,
  answerAssigns: true,
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
  timeZone: "Asia/Kolkata",
  quietHours: null,
  billing: "OFF",
  prices: {},
  dailyCap: {},
  balanceLowAt: null,
  campaignFloor: null,
  brandColor: null,
  brandLogo: null
}

const ranges: ReadonlyArray<[name: string, lowest: number, highest: number]> = [
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
]

const others: ReadonlyArray<[name: string, good: ReadonlyArray<unknown>, bad: ReadonlyArray<unknown>]> = [
  ["canonicalHourlyLimit", [null], []],
  ["hourlyLimitPerPrefix", [null], []],
  ["hourlyLimitPerCountry", [null], []],
  ["hourlyLimitPerMerchant", [null], []],
  ["defaultCountry", ["US", null, "IN"], ["us", "USA", "ZZ", "", "91", 91, false]],
  ["primaryChannel", ["WHATSAPP", "SMS"], ["sms", "auto", "", null, 1]],
  ["fallbackChannel", ["WHATSAPP", null], ["whatsapp", "PIGEON", false]],
  ["oneTap", [true, false], ["true", 1, null]],
  ["strictReverify", [true, false], ["false", 0, null]],
  ["requirePasskey", [false], ["true", 1, null]],
  ["answerAssigns", [true, false], ["true", 1, null]],
  ["linkNumberMatch", [true, false], ["true", 1, null]],
  [
    "redirectUris",
    [["https://example.com/back"], []],
    ["https://example.com", [1], null, ["nonsense"], [""], ["http://example.com"], { 0: "https://example.com" }]
  ],
  ["allowedOrigins", [["https://example.com"], ["*"], []], ["*", [null], {}]],
  [
    "allowedCountries",
    [["IN", "SG"], ["IN", "+881"], [], null],
    [["india"], "IN", [91], ["UK"], ["ZZ"], ["+91"], ["881"], ["+"]]
  ],
  ["blockedPrefixes", [["9199", "1"], []], [["+91"], ["91x"], "91", null]],
  ["blockedNumberTypes", [["PREMIUM_RATE", "PAGER"], []], [["MOBILE"], ["premium"], "PAGER", null]],
  ["guardEnforces", [["PREFIX_UNVERIFIED", "ADJACENT_NUMBERS"], []], [["LUCK"], "PREFIX_UNVERIFIED", null]],
  ["guardLineTypes", [["nonFixedVoip", "landline"], []], [["mobile"], "landline", null]],
  ["guardSimSwapHours", [0, 72, 2400], [-1, 2401, 1.5, null]],
  ["guardRecycledDays", [0, 30, 3650], [-1, 3651, null]],
  ["safeList", [["9199", "919876543210"], []], [["+91"], ["91x"], "91", null]],
  ["brand", ["Acme & Söhne", "अक्मे 😀"], ["x".repeat(61), null, 7, "a\r\nBcc: b", "a\0", "a\ud800"]],
  ["brandColor", ["#0F766e", null], ["red", "red;}", "#fff", "#0f766e;}", "", 7]],
  [
    "brandLogo",
    [null],
    ["", "https://example.com/logo.png", "data:image/svg+xml,<svg onload=alert(1)>", "data:image/png;base64,AAAA", {}]
  ],
  ["locale", ["en", "hi", "pt-BR"], ["English", "", null, "e"]],
  ["billing", ["PREPAID", "OFF"], ["POSTPAID", "off", true, null]],
  ["timeZone", ["Asia/Kathmandu", "UTC"], ["+05:45", "Nowhere", "", null, 5]],
  [
    "quietHours",
    [{ from: "21:00", to: "08:00" }, null],
    [{ from: "9:00", to: "21:00" }, { from: "21:00" }, "21:00", []]
  ],
  [
    "prices",
    [{ SMS: 20, WHATSAPP: 0 }, { SMS: { default: 20, prefixes: { "977": 90 } } }, {}],
    [{ SMS: -1 }, { SMS: 1.5 }, { SMS: "20" }, { sms: 20 }, { SMS: { default: 1, prefixes: { "+977": 1 } } }, null, []]
  ],
  ["dailyCap", [{ SMS: 5000, WHATSAPP: null }, {}], [{ SMS: -1 }, { sms: 1 }, 5000, null, []]],
  ["balanceLowAt", [1000, 0, null], [-1, 0.5, "1000", 1_000_000_000_001]],
  ["campaignFloor", [1000, 0, null], [-1, 0.5, "1000", 1_000_000_000_001]]
]

const nullable = new Set(others.flatMap(([name, good]) => (good.includes(null) ? [name] : [])))

/** The settings of a merchant and their effects. */
export const suite = (service: () => Service, once: Once) =>
  describe("settings", () => {
    it("start with the documented defaults", async () => {
      const { live, test } = await service().merchant({}, "Beginner")
      for (const client of [live, test]) {
        const { body, status } = await client.get("/v1/dashboard/settings")
        assert.strictEqual(status, 200)
        assert.deepInclude(body, { ...defaults, brand: "Beginner" })
      }
    })

    once("accept only their ranges and words", async () => {
      const client = (await service().withOwner()).test
      const settings = async () => (await client.get("/v1/dashboard/settings")).body
      const takes = async (name: string, value: unknown) => {
        const changed = await client.settings({ [name]: value })
        assert.strictEqual(changed.status, 200, changed.text)
        assert.deepStrictEqual(changed.body[name], value)
        assert.deepStrictEqual(await settings(), changed.body)
      }
      const refuses = async (name: string, value: unknown) =>
        refused(await client.settings({ [name]: value }), "INVALID_REQUEST", name)
      for (const [name, lowest, highest] of ranges) {
        for (const value of [lowest, highest]) await takes(name, value)
        const bad = [lowest - 1, highest + 1, lowest + 0.5, String(lowest), true, [lowest], {}, -1, 1e21]
        for (const value of nullable.has(name) ? bad : [...bad, null]) await refuses(name, value)
        const huge = await client.send({ method: "PATCH", path: "/v1/dashboard/settings", body: `{"${name}":1e400}` })
        refused(huge, "INVALID_REQUEST", `(body|${name})`)
        assert.strictEqual((await settings())[name], highest)
      }
      for (const [name, good, bad] of others) {
        for (const value of good) await takes(name, value)
        for (const value of bad) await refuses(name, value)
      }
    })

    once("change all or none, and an invalid one is named", async () => {
      const client = await service().client()
      refused(await client.settings({ codeLength: 4, maxAttempts: 11 }), "INVALID_REQUEST", "maxAttempts")
      assert.strictEqual((await client.get("/v1/dashboard/settings")).body.codeLength, 6)
      for (const name of ["id", "version", "toString", "constructor"]) {
        refused(await client.settings({ maxAttempts: 5, [name]: 9 }), "INVALID_REQUEST", name)
      }
      const misspelt = await client.settings({ maxAttempts: 5, codelenght: 8 })
      refused(misspelt, "INVALID_REQUEST", "codelenght: is not a setting; did you mean codeLength")
      const path = "/v1/dashboard/settings"
      await client.send({ method: "PATCH", path, body: '{"__proto__":{"codeLength":4}}' })
      const { body } = await client.get(path)
      assert.deepInclude(body, { codeLength: 6, maxAttempts: 3 })
      assert.deepStrictEqual(
        Object.keys(body).toSorted(),
        [...Object.keys(defaults), "brand", "locale", "appHash", "domain", "warnings"].toSorted()
      )
      assert.strictEqual((await client.settings({})).status, 200)
    })

    once("warn about values that have no effect, and refuse contradictions", async () => {
      const client = await service().client()
      const settings = async () => (await client.get("/v1/dashboard/settings")).body
      assert.deepStrictEqual((await settings()).warnings, [])
      const { body } = await client.settings({ fallbackChannel: "WHATSAPP", fallbackAfterSeconds: 300 })
      assert.deepStrictEqual(
        body.warnings.map(({ field }: any) => field),
        ["fallbackAfterSeconds"]
      )
      assert.match(body.warnings[0].problem, /codeExpirySeconds \(300\)/)
      assert.deepStrictEqual(await settings(), body)
      refused(await client.settings({ oneTapDays: 31, oneTapMaxDays: 30 }), "INVALID_REQUEST", "oneTapDays")
      refused(
        await client.settings({ maxLifetimeSeconds: 60, codeExpirySeconds: 61 }),
        "INVALID_REQUEST",
        "codeExpirySeconds"
      )
      // Changes made one at a time may pass through any value. A contradiction that exists already blocks no other
      // change and no repeat.
      const shorter = await client.settings({ maxLifetimeSeconds: 60 })
      assert.strictEqual(shorter.status, 200, shorter.text)
      assert.include(shorter.text, '"field":"codeExpirySeconds"')
      assert.strictEqual((await client.settings({ codeLength: 8 })).status, 200)
      const repeated = await client.settings(await settings())
      assert.strictEqual(repeated.status, 200, repeated.text)
      assert.deepStrictEqual(repeated.body, await settings())
    })

    it("keep each of many concurrent changes", async () => {
      const client = await service().client()
      const wanted = Object.fromEntries(ranges.map(([name, , highest]) => [name, highest]))
      const changes = await Promise.all(
        Object.entries(wanted).map(([name, value]) => client.settings({ [name]: value }))
      )
      for (const { status, text } of changes) assert.strictEqual(status, 200, text)
      assert.deepInclude((await client.get("/v1/dashboard/settings")).body, wanted)
    })

    once("name the invalid part of a nested value, and audit only the prices that changed", async () => {
      const client = await service().client({ prices: { SMS: { default: 20, prefixes: { "1": 3, "977": 90 } } } })
      const wrong = { prices: { SMS: { default: 20, prefixes: { "1": 3, "977": -1 } } } }
      refused(await client.settings(wrong), "INVALID_REQUEST", "prices\\.SMS\\.prefixes\\.977")
      const misspelt = await client.settings({ dailyCap: { Sms: 1 } })
      refused(misspelt, "INVALID_REQUEST", "dailyCap\\.Sms: is not a channel: use SMS, WHATSAPP")
      // Entries of the same millisecond can be in any order.
      await client.get("/v1/dashboard/settings/history")
      await client.settings({ prices: { WHATSAPP: 70, SMS: { prefixes: { "977": 95, "1": 3 }, default: 20 } } })
      const [{ from, to }] = (await client.get("/v1/dashboard/settings/history")).body.items
      assert.deepStrictEqual(from, { prices: { SMS: { prefixes: { 977: 90 } }, WHATSAPP: null } })
      assert.deepStrictEqual(to, { prices: { SMS: { prefixes: { 977: 95 } }, WHATSAPP: 70 } })
    })

    once("belong to one environment of one merchant", async () => {
      const { live, test } = await service().merchant({ maxAttempts: 7 })
      const other = await service().client()
      assert.strictEqual((await test.get("/v1/dashboard/settings")).body.maxAttempts, 7)
      assert.strictEqual((await live.get("/v1/dashboard/settings")).body.maxAttempts, 3)
      assert.strictEqual((await other.get("/v1/dashboard/settings")).body.maxAttempts, 3)
    })

    once("decide the country of ten digits without a plus sign", async () => {
      const american = await service().client({ defaultCountry: "US" })
      const { body } = await american.initiate({ identity: "415 555 2671" })
      await american.verify({ requestId: body.requestId, otp: code })
      assert.deepInclude((await american.confirm({ requestId: body.requestId })).body, {
        phoneNumber: "415 555 2671",
        countryCode: null,
        nationalPhoneNumber: null
      })
      const strict = await service().client({ defaultCountry: null })
      refused(await strict.initiate({ identity: "9876543210" }), "INVALID_REQUEST", "identity: must begin with")
      assert.strictEqual((await strict.initiate({ identity: phone() })).status, 200)
    })

    once("decide length, attempts and channel of new codes", async () => {
      const client = await service().client({ codeLength: 8, maxAttempts: 1, primaryChannel: "WHATSAPP" })
      const requestId = await client.started()
      assert.strictEqual((await client.settled(requestId)).body.deliveries[0].channel, "WHATSAPP")
      assert.strictEqual((await client.verify({ requestId, otp: "12345678" })).body.verified, true)
      const other = await client.started({ otpLength: 5 })
      assert.include((await client.verify({ requestId: other, otp: wrong })).body.message, "No attempts")
      refused(await client.verify({ requestId: other, otp: "12345" }), "MAX_ATTEMPTS_EXCEEDED")
    })

    it("reach every process", async () => {
      const client = await service().client({ codeLength: 8 })
      const everywhere = () =>
        Promise.all(
          service().urls.map(async (url) => {
            const body = { identity: phone(), identityType: "MOBILE", mode: "OTP" }
            const begun = await Wire.send(url, client.call({ path: "/v1/auth/initiate", body }))
            const checked = await Wire.send(
              url,
              client.call({ path: "/v1/auth/verify", body: { requestId: begun.body.requestId, otp: code } })
            )
            return checked.body.verified
          })
        )
      assert.notInclude(await everywhere(), true)
      assert.strictEqual((await client.settings({ codeLength: 6 })).status, 200)
      await until(everywhere, (answers) => answers.every(Boolean), { what: "the new length" })
      assert.notInclude(await everywhere(), false)
    })
  })
