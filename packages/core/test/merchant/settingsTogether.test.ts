import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Channel } from "../../src/index.channel.ts"
import { defaultSettings, type Settings } from "../../src/index.ts"
import { type Around, contradiction, settingsWarnings } from "../../src/account/merchant/settingsTogether.ts"

const channel = (name: Channel["name"], kinds: NonNullable<Channel["supports"]["kinds"]>): Channel => ({
  name,
  provider: "test",
  supports: { identityTypes: name === "EMAIL" ? ["EMAIL"] : ["MOBILE"], receipts: true, kinds },
  send: () => Effect.succeed({ providerId: null })
})

const having = (...channels: ReadonlyArray<Channel>): Around => ({
  kind: "live",
  names: channels.map(({ name }) => name),
  find: (name) => channels.find((one) => one.name === name),
  links: true
})

const sms = channel("SMS", ["Code", "Link"])
const whatsapp = channel("WHATSAPP", ["Code"])
const email = channel("EMAIL", ["Code", "Link"])
const all = having(sms, whatsapp, email)
const testing: Around = { ...having(), kind: "test" }

const cases: ReadonlyArray<
  [what: string, changes: Partial<Settings>, around: Around, warned: ReadonlyArray<keyof Settings>]
> = [
  ["the defaults", {}, all, []],
  ["the defaults in a test environment, where every channel works", {}, testing, []],
  ["a primary channel without a provider", {}, having(email), ["primaryChannel"]],
  ["a fallback without a provider", { fallbackChannel: "RCS" }, all, ["fallbackChannel"]],
  ["the same in a test environment", { fallbackChannel: "RCS" }, testing, []],
  ["a fallback that works", { fallbackChannel: "WHATSAPP" }, all, []],
  ["a fallback to the primary channel", { fallbackChannel: "SMS" }, all, ["fallbackChannel"]],
  ["a fallback by e-mail", { fallbackChannel: "EMAIL" }, all, ["fallbackChannel"]],
  [
    "a fallback after the code's end",
    { fallbackChannel: "WHATSAPP", fallbackAfterSeconds: 300 },
    all,
    ["fallbackAfterSeconds"]
  ],
  ["the same without a fallback", { fallbackAfterSeconds: 900 }, all, []],
  ["a lower limit for all spellings", { canonicalHourlyLimit: 9 }, all, ["canonicalHourlyLimit"]],
  ["no limit for all spellings", { canonicalHourlyLimit: 0 }, all, []],
  ["codes that outlive their verification", { maxLifetimeSeconds: 60 }, all, ["codeExpirySeconds"]],
  ["trust that ends before it is unused for long", { oneTap: true, oneTapMaxDays: 7 }, all, ["oneTapDays"]],
  ["the same while OneTap is off", { oneTapMaxDays: 7 }, all, []],
  ["numbers on links", { linkNumberMatch: true }, all, []],
  [
    "numbers on links that no channel carries",
    { linkNumberMatch: true, primaryChannel: "WHATSAPP" },
    having(whatsapp),
    ["linkNumberMatch"]
  ],
  ["numbers on links without an address", { linkNumberMatch: true }, { ...all, links: false }, ["linkNumberMatch"]],
  ["billing without prices", { billing: "PREPAID" }, all, ["prices"]],
  [
    "billing without a price of the fallback",
    { billing: "PREPAID", prices: { SMS: 20 }, fallbackChannel: "WHATSAPP" },
    all,
    ["prices"]
  ],
  ["billing with prices", { billing: "PREPAID", prices: { SMS: 0 } }, all, []],
  ["billing in a test environment", { billing: "PREPAID", prices: { SMS: 20 } }, testing, []],
  [
    "a cap and a warning without billing",
    { dailyCap: { SMS: 500 }, balanceLowAt: 5, campaignFloor: 5 },
    all,
    ["dailyCap", "balanceLowAt", "campaignFloor"]
  ],
  ["no cap and no warning without billing", { dailyCap: { SMS: null }, balanceLowAt: null }, all, []],
  [
    "a cap and a warning with billing",
    { billing: "PREPAID", prices: { SMS: 20 }, dailyCap: { SMS: 500 }, balanceLowAt: 5 },
    all,
    []
  ]
]

describe("combined settings", () => {
  it.each(cases)("warn of %s", (_, changes, around, warned) => {
    const warnings = settingsWarnings({ ...defaultSettings, ...changes }, around)
    assert.deepStrictEqual(
      warnings.map(({ field }) => field),
      warned
    )
    for (const { problem } of warnings) assert.notMatch(problem, /undefined|null/)
  })

  it("are refused only when one change names both limits and changes at least one", () => {
    const check = (names: ReadonlyArray<string>, before: Partial<Settings>, after: Partial<Settings>) =>
      contradiction(names, { ...defaultSettings, ...before }, { ...defaultSettings, ...after })?.field ?? null
    const odd = { oneTapDays: 31, oneTapMaxDays: 30 }
    assert.strictEqual(check(["oneTapDays", "oneTapMaxDays"], {}, odd), "oneTapDays")
    assert.isNull(check(["oneTapDays", "oneTapMaxDays"], odd, odd))
    assert.isNull(check(["oneTapMaxDays"], {}, { oneTapMaxDays: 1 }))
    assert.isNull(check(["oneTapDays", "oneTapMaxDays"], {}, { oneTapDays: 30, oneTapMaxDays: 30 }))
    assert.isNull(check(["brand"], odd, { ...odd, brand: "x" }))
  })
})
