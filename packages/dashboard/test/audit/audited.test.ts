import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { deedOf, fieldsOf, isAmount } from "../../src/screens/audited.ts"
import { whereOf } from "../../src/screens/audit/whereOf.ts"
import { spec } from "../../src/screens/settings/spec.ts"
import { moment, money } from "../../src/words/format.ts"

describe("the fields of a change", () => {
  it("are listed one by one, including nested ones, and only when they differ", () => {
    const fields = fieldsOf({
      from: { codeLength: 6, oneTap: false, prices: { SMS: { default: 18, prefixes: { "977": 90 } } }, brand: null },
      to: { codeLength: 4, oneTap: true, prices: { SMS: { default: 18, prefixes: { "977": 95 } } }, brand: "" }
    })
    assert.deepStrictEqual(fields, [
      { field: "codeLength", before: "6", after: "4" },
      { field: "oneTap", before: "off", after: "on" },
      { field: "prices.SMS.prefixes.977", before: "90", after: "95" },
      { field: "brand", before: null, after: "empty" }
    ])
  })
  it("have no old value when created and no new value when deleted", () => {
    assert.deepStrictEqual(fieldsOf({ from: null, to: { scopes: ["auth", "leads"] } }), [
      { field: "scopes", before: null, after: "auth, leads" }
    ])
    assert.deepStrictEqual(fieldsOf({ from: { url: "https://example.com" }, to: null })[0]?.after, null)
    assert.deepStrictEqual(fieldsOf({ from: null, to: null }), [])
  })
})

describe("a value of a change", () => {
  it("is formatted as an amount or a date when it is one", () => {
    const at = "2026-11-24T21:50:26.733Z"
    const words = (to: Record<string, unknown>) => fieldsOf({ from: null, to }, "INR").map(({ after }) => after)
    assert.deepStrictEqual(words({ amount: 100_000, reference: "r1" }), [money(100_000, "INR"), "r1"])
    assert.deepStrictEqual(words({ retiringAt: at }), [moment(new Date(at))])
    assert.deepStrictEqual(words({ url: `https://a.example/${at}`, hourlyLimit: 10 }), [
      `https://a.example/${at}`,
      "10"
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
    assert.lengthOf(fieldsOf({ from, to }), 1)
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
