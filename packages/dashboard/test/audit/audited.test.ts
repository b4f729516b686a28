import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { deedOf, type Entry, fieldsOf, isAmount, kindOf, targetOf } from "../../src/screens/audited.ts"
import { whereOf } from "../../src/screens/audit/whereOf.ts"
import { spec } from "../../src/screens/settings/spec.ts"
import { moment, money } from "../../src/words/format.ts"

const settings = { kind: "settings", id: "live" }
/** The fields of an entry about `target`, with their wire names. */
const read = (from: Entry["from"], to: Entry["to"], target = settings, currency: string | null = null) =>
  fieldsOf({ from, target, to }, currency)

describe("the fields of a change", () => {
  it("are listed one by one, including nested ones, and only when they differ", () => {
    const fields = read(
      { codeLength: 6, oneTap: false, prices: { SMS: { default: 18, prefixes: { "977": 90 } } }, brand: null },
      { codeLength: 4, oneTap: true, prices: { SMS: { default: 18, prefixes: { "977": 95 } } }, brand: "" }
    )
    assert.deepStrictEqual(fields, [
      { field: "codeLength", label: "Code length", before: "6", after: "4" },
      { field: "oneTap", label: "Trusted devices skip the code", before: "off", after: "on" },
      { field: "prices.SMS.prefixes.977", label: "Prices, SMS, prefix, 977", before: "90", after: "95" },
      { field: "brand", label: "Brand name", before: null, after: "empty" }
    ])
  })
  it("have no old value when created and no new value when deleted", () => {
    assert.deepStrictEqual(read(null, { scopes: ["auth", "leads"] }, { kind: "key", id: "1" }), [
      { field: "scopes", label: "Scopes", before: null, after: "auth, leads" }
    ])
    assert.deepStrictEqual(read({ url: "https://example.com" }, null)[0]?.after, null)
    assert.deepStrictEqual(read(null, null), [])
  })
  it("have the setting's title in a changed setting, and their own name elsewhere", () => {
    const label = (to: Record<string, unknown>, kind: string) => read(null, to, { kind, id: "1" })[0]?.label
    assert.strictEqual(label({ locale: "hi" }, "settings"), "Message language")
    assert.strictEqual(label({ locale: "hi" }, "template"), "Language")
    assert.strictEqual(label({ moonPhase: 1 }, "key"), "moonPhase")
    assert.strictEqual(label({ quietHours: { from: "21:00" } }, "settings"), "Quiet hours, from")
    assert.strictEqual(label({ prices: { EMAIL: 2 } }, "settings"), "Prices, E-mail")
  })
})

describe("a value of a change", () => {
  it("is formatted as an amount or a date when it is one", () => {
    const at = "2026-11-24T21:50:26.733Z"
    const words = (to: Record<string, unknown>) => read(null, to, settings, "INR").map(({ after }) => after)
    assert.deepStrictEqual(words({ amount: 100_000, reference: "r1" }), [money(100_000, "INR"), "r1"])
    assert.deepStrictEqual(words({ retiringAt: at }), [moment(new Date(at))])
    assert.deepStrictEqual(words({ url: `https://a.example/${at}`, hourlyLimit: 10 }), [
      `https://a.example/${at}`,
      "10"
    ])
  })
  it("is words when it is a code, and exact when it is a duration", () => {
    const words = (to: Record<string, unknown>) => read(null, to, settings).map(({ after }) => after)
    assert.deepStrictEqual(words({ reason: "REPLACED", status: "INVITED", role: "OWNER", billing: "PREPAID" }), [
      "replaced by a new sign-in",
      "invited",
      "Owner",
      "prepaid"
    ])
    assert.deepStrictEqual(words({ codeExpirySeconds: 90, maxLifetimeSeconds: 1_800 }), ["90 sec", "30 min"])
    assert.deepStrictEqual(words({ fallbackChannel: "EMAIL" }), ["E-mail"])
    // A name that looks like a code, and a code that the page does not know.
    assert.deepStrictEqual(words({ name: "ACTIVE", status: "FROZEN", reason: "constructor" }), [
      "ACTIVE",
      "FROZEN",
      "constructor"
    ])
  })
  it("is an amount for every money setting", () => {
    for (const [name, { control }] of Object.entries(spec)) {
      const isMoney =
        control.kind === "prices" || control.kind === "caps" || (control.kind === "number" && control.unit === "money")
      assert.strictEqual(isAmount(`${name}${control.kind === "caps" ? ".SMS" : ""}`), isMoney, name)
    }
  })
  it("counts as changed even when both sides look the same", () => {
    const [from, to] = [{ at: "2026-11-24T21:50:26.100Z" }, { at: "2026-11-24T21:50:26.900Z" }]
    assert.lengthOf(read(from, to), 1)
  })
})

describe("an action", () => {
  it("without a text is shown as its wire name", () => {
    assert.strictEqual(deedOf("key.rolled"), "rotated a key’s secret")
    assert.strictEqual(deedOf("moon.landed"), "moon.landed")
  })
  it("has a text for every action that the service records", () => {
    const core = join(import.meta.dirname, "../../../core/src")
    const sources = readdirSync(core, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
    const deeds = sources.flatMap((file) =>
      [...readFileSync(join(core, file), "utf8").matchAll(/\baction: "([a-z_]+\.[a-z_]+)"/g)].map(
        ([, deed = ""]) => deed
      )
    )
    assert.isAbove(new Set(deeds).size, 15)
    assert.deepStrictEqual(
      deeds.filter((deed) => deedOf(deed) === deed),
      []
    )
  })
  it("names the kind of its target, or shows its wire name", () => {
    const kind = (kind: string) => kindOf({ target: { kind, id: "1" } })
    assert.deepStrictEqual([kind("opt_out"), kind("moon"), kind("toString")], ["Opt-out", "moon", "toString"])
  })
  it("names its target by its name, or by its id", () => {
    const target = (kind: string, to: Entry["to"], from: Entry["from"] = null) =>
      targetOf({ target: { kind, id: "1" }, to, from })
    assert.strictEqual(target("webhook", { url: "https://example.com/a" }), "Webhook https://example.com/a")
    assert.strictEqual(target("template", null, { name: "login" }), "Template login")
    assert.strictEqual(target("key", { scopes: ["auth"], name: "" }), "API key 1")
    assert.strictEqual(target("settings", { brand: "Acme" }), "Settings")
  })
  it("links to its target in its own environment, unless the target is gone", () => {
    const webhook = { environment: "test", target: { kind: "webhook", id: "whk_1" } } as const
    assert.strictEqual(whereOf({ ...webhook, action: "webhook.changed" }, "live"), "/dashboard/test/webhooks/whk_1")
    assert.strictEqual(whereOf({ ...webhook, action: "webhook.removed" }, "live"), "/dashboard/test/webhooks")
    const erased = { environment: null, action: "person.erased", target: { kind: "person", id: "x" } } as const
    const number = { action: "number.connected", environment: "live", target: { kind: "number", id: "1" } } as const
    assert.strictEqual(whereOf(number, "live"), "/dashboard/inbox?show=numbers")
    assert.isNull(whereOf(erased, "live"))
  })
})
