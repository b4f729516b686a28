import { defaultSettings } from "@countersign/core"
import { Api } from "@countersign/http/contract"
import { OpenApi } from "effect/http-api"
import { assert, describe, it } from "vitest"
import { changesOf, isSame, readTyped, typedOf } from "../../src/screens/settings/draft.ts"
import { entriesOf, languageChoices, languageName } from "../../src/screens/settings/entries.ts"
import { matchingGroups } from "../../src/screens/settings/matchingGroups.ts"
import { shownValue } from "../../src/screens/settings/shown.ts"
import { spec } from "../../src/screens/settings/spec.ts"
import { say } from "../../src/screens/settings/words.ts"
import { settingsIndex } from "../../src/words/settingsIndex.ts"

type Names = keyof typeof spec
const names = Object.keys(spec) as ReadonlyArray<Names>

/** The settings as the contract describes them, by name. */
const published = () => {
  const document = OpenApi.fromApi(Api) as unknown as {
    readonly paths: {
      readonly [path: string]: {
        readonly get: {
          readonly responses: { readonly 200: { readonly content: { readonly [type: string]: { schema: unknown } } } }
        }
      }
    }
  }
  const { schema } = document.paths["/v1/dashboard/settings"]!.get.responses[200].content["application/json"]!
  return (schema as { readonly properties: { readonly [name: string]: unknown } }).properties
}

/** The value of a keyword at any depth of a schema. */
const keyword = (schema: unknown, name: string): unknown => {
  if (typeof schema !== "object" || schema === null) return undefined
  if (name in schema) return (schema as { readonly [keyword: string]: unknown })[name]
  return Object.values(schema)
    .map((inner) => keyword(inner, name))
    .find((found) => found !== undefined)
}

describe("the table of settings", () => {
  it("has exactly the settings of the contract, each in one group", () => {
    const { warnings: _, ...settings } = published()
    assert.sameMembers(
      settingsIndex.map(({ name }) => name),
      Object.keys(settings)
    )
    assert.sameMembers([...names], Object.keys(settings))
    assert.strictEqual(new Set(settingsIndex.map(({ name }) => name)).size, settingsIndex.length)
  })

  it("has the contract's number ranges and nullability", () => {
    const settings = published()
    for (const name of names) {
      const [{ control }, schema] = [spec[name], settings[name]]
      if (control.kind === "number") {
        assert.strictEqual(keyword(schema, "minimum"), control.least, name)
        assert.strictEqual(keyword(schema, "maximum"), control.most, name)
      }
      if (control.kind === "lines") assert.strictEqual(keyword(schema, "maxItems"), control.most, name)
      if (control.kind === "prices" || control.kind === "caps")
        assert.strictEqual(keyword(schema, "maximum"), control.most, name)
      const mayBeNull = JSON.stringify(schema).includes('"null"') && control.kind !== "caps"
      assert.strictEqual("null" in control || control.kind === "quietHours", mayBeNull, name)
    }
  })

  it("has the service's defaults", () => {
    const { brand: _, ...known } = defaultSettings
    for (const [name, value] of Object.entries(known))
      assert.deepStrictEqual(spec[name as Names].initially as unknown, value, name)
  })
})

describe("an edited setting", () => {
  it("converts to its fields and back unchanged, for every kind of setting", () => {
    const settings = {
      ...defaultSettings,
      quietHours: { from: "21:00", to: "08:00" },
      prices: {
        SMS: { default: 20, prefixes: { "977": 90, "1": 5 } },
        EMAIL: 0,
        VIBER: { default: 15, prefixes: { "977": 60 } }
      },
      dailyCap: { SMS: 5_000 },
      blockedPrefixes: ["882", "883"],
      allowedCountries: ["IN"],
      balanceLowAt: 0
    }
    for (const stored of [defaultSettings, settings])
      for (const name of names) {
        const { control } = spec[name]
        for (const currency of [null, "INR", "JPY", "KWD"]) {
          const read = readTyped(control, typedOf(control, stored[name], currency), currency)
          assert.isTrue(read.ok && isSame(read.value, stored[name]), `${name}: ${JSON.stringify(read)}`)
        }
      }
  })

  it("is rejected when it is out of range or malformed", () => {
    const refused = (name: Names, typed: { readonly [field: string]: string }) =>
      !readTyped(spec[name].control, typed, "INR").ok
    assert.isTrue(refused("codeLength", { value: "9" }))
    assert.isTrue(refused("codeLength", { value: "6.5" }))
    assert.isTrue(refused("codeLength", { value: "" }))
    assert.isFalse(refused("canonicalHourlyLimit", { value: "" }))
    assert.isTrue(refused("quietHours", { from: "21:00", to: "" }))
    assert.isFalse(refused("prices", { SMS: "0.20", "SMS.prefixes": "977 0.90" }))
    assert.isTrue(refused("prices", { SMS: "0.205" }))
    assert.isTrue(refused("prices", { SMS: "", "SMS.prefixes": "977 0.90" }))
    assert.isTrue(refused("prices", { SMS: "0.20", "SMS.prefixes": "Nepal 0.90" }))
    assert.isTrue(refused("balanceLowAt", { value: "-1" }))
    assert.isTrue(refused("codeExpirySeconds", { value: "16", unit: "minutes" }))
    assert.isTrue(refused("codeExpirySeconds", { value: "1.001", unit: "minutes" }))
    assert.isTrue(refused("appHash", { value: "short" }))
  })

  it("has amounts in the main unit of the currency, and durations in the largest unit without a fraction", () => {
    const { balanceLowAt, codeExpirySeconds, maxLifetimeSeconds, prices } = spec
    assert.deepStrictEqual(typedOf(balanceLowAt.control, 49_950, "INR"), { value: "499.50" })
    assert.deepStrictEqual(readTyped(balanceLowAt.control, { value: "1,499.5" }, "INR"), { ok: true, value: 149_950 })
    assert.strictEqual(typedOf(prices.control, { SMS: 5 }, "INR")["SMS"], "0.05")
    assert.deepStrictEqual(typedOf(codeExpirySeconds.control, 300, "INR"), { value: "5", unit: "minutes" })
    assert.deepStrictEqual(typedOf(codeExpirySeconds.control, 90, "INR"), { value: "90", unit: "seconds" })
    assert.deepStrictEqual(typedOf(maxLifetimeSeconds.control, 86_400, "INR"), { value: "24", unit: "hours" })
    const hours = (value: string) => readTyped(maxLifetimeSeconds.control, { value, unit: "hours" }, "INR")
    assert.deepStrictEqual(hours("0.1"), { ok: true, value: 360 })
    // A draft of an earlier version has no unit.
    assert.deepStrictEqual(readTyped(codeExpirySeconds.control, { value: "90" }, "INR"), { ok: true, value: 90 })
  })

  it("takes countries, prefixes and types of numbers by name, also several at once", () => {
    assert.deepStrictEqual(entriesOf("india", "countries"), { entries: ["IN"], rest: "" })
    assert.deepStrictEqual(entriesOf("Nepal, de; +881, Atlantis", "countries"), {
      entries: ["NP", "DE", "+881"],
      rest: "Atlantis"
    })
    assert.deepStrictEqual(entriesOf("+882, 91 98", "prefixes"), { entries: ["882"], rest: "91 98" })
    assert.deepStrictEqual(entriesOf("882, 883", "prefixes").entries, ["882", "883"])
    assert.deepStrictEqual(entriesOf("landline", "numberTypes").entries, ["FIXED_LINE"])
    assert.deepStrictEqual(entriesOf("united", "countries"), { entries: [], rest: "united" })
    assert.strictEqual(shownValue("allowedCountries", ["IN", "+881"]), "India, +881")
    assert.strictEqual(languageName("hi"), "Hindi")
    assert.include(
      languageChoices("pt-BR").map(([tag]) => tag),
      "pt-BR"
    )
  })

  it("finds its own changes among all, including the first", () => {
    const at = "2026-01-31T09:30:00.000Z"
    const changes = [
      { at, from: { codeLength: 6 }, to: { codeLength: 8 } },
      { at, from: null, to: { brand: "Acme" } }
    ]
    assert.deepStrictEqual(changesOf(changes, "brand"), [changes[1]!])
  })

  it("shows a change that added the price of a channel", () => {
    assert.strictEqual(shownValue("prices", { SMS: null, RCS: 25 }, "INR"), "RCS ₹0.25")
  })

  it("shows zero and empty values by their meaning", () => {
    const words = [
      shownValue("maxResends", 0),
      shownValue("allowedCountries", null),
      shownValue("codeExpirySeconds", 300),
      shownValue("dailyCap", { SMS: null }),
      shownValue("prices", { SMS: 20, RCS: { default: 30, prefixes: { "977": 90 } } })
    ]
    assert.deepStrictEqual(words, ["no limit", "all countries", "5 min", "no cap", "SMS 20, RCS 30 …"])
  })
})

describe("the search over settings", () => {
  it("finds by contract name, title and description", () => {
    const found = (text: string) => matchingGroups(text, say.effects).flatMap(({ names }) => names)
    assert.deepStrictEqual(found("codelength"), ["codeLength"])
    assert.deepStrictEqual(found("billing"), ["billing"])
    assert.include(found("geo permissions"), "allowedCountries")
    assert.include(found("nist"), "codeExpirySeconds")
    assert.deepStrictEqual(found("quiet campaigns"), ["quietHours"])
    assert.include(found("rate limit"), "hourlyLimit")
    assert.include(found("otp length"), "codeLength")
    assert.include(found("ओटीपी"), "codeLength")
    assert.include(found("रोकें"), "blockedPrefixes")
    assert.deepStrictEqual(found("no such thing"), [])
    assert.strictEqual(found("").length, names.length)
  })
})
