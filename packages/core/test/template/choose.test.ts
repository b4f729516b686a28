import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { defaultSettings } from "../../src/index.ts"
import { catalogueOf } from "../../src/message/template/choose.ts"
import type { TemplateHead } from "../../src/message/template/StoredTemplate.ts"
import { chooseTexts } from "../../src/auth/verification/texts.ts"
import { linkFlow } from "../fixtures/decisions.ts"

const head = (id: string, fields: Partial<TemplateHead> = {}): TemplateHead => ({
  environment: "env",
  id,
  revision: 1,
  version: 1,
  name: "default",
  channel: "SMS",
  purpose: "CODE",
  locale: null,
  dltTemplateId: null,
  header: null,
  whatsappName: null,
  whatsappLanguage: null,
  numberId: null,
  places: ["code"],
  values: 0,
  state: null,
  createdAt: 0,
  updatedAt: 0,
  removedAt: null,
  ...fields
})

type Wish = Parameters<typeof chooseTexts>[1]

const choose = (
  heads: ReadonlyArray<TemplateHead>,
  wish: Partial<Wish> & {
    readonly name?: string
    readonly locale?: string
    readonly headers?: ReadonlyArray<string>
  } = {},
  settings = {}
) => {
  const { headers = [], locale = "en", name = null, ...more } = wish
  const chosen = chooseTexts(
    catalogueOf(heads, headers, true),
    { channel: "SMS", flow: { kind: "Code", mode: "OTP" }, options: {}, fallback: null, ...more },
    name,
    { ...defaultSettings, locale, ...settings }
  )
  return Result.isSuccess(chosen)
    ? Object.fromEntries(Object.entries(chosen.success.by).map(([channel, reference]) => [channel, reference.id]))
    : chosen.failure.fault
}

const approved = { status: "APPROVED", problem: null, checkedAt: 0 } as const
const id = "1107160000000000001"

describe("the template of a message", () => {
  it("is built-in when there is no template named default", () => {
    assert.deepStrictEqual(choose([]), {})
    assert.deepStrictEqual(choose([head("a", { name: "other" })]), {})
    assert.deepStrictEqual(choose([head("a", { purpose: "LINK" })]), {})
    assert.deepStrictEqual(choose([head("a", { channel: "RCS" })]), {})
    assert.deepStrictEqual(choose([head("a")], { channel: "TRUECALLER" }), {})
  })

  it("matches the locale, else its language, else every language, else is built-in", () => {
    const all = [
      head("any"),
      head("hi", { locale: "hi" }),
      head("hi-IN", { locale: "hi_IN" }),
      head("fr-CA", { locale: "fr-CA" })
    ]
    assert.deepStrictEqual(choose(all, { locale: "hi-IN" }), { SMS: "hi-IN" })
    assert.deepStrictEqual(choose(all, { locale: "hi" }), { SMS: "hi" })
    assert.deepStrictEqual(choose(all, { locale: "hi-XX" }), { SMS: "hi" })
    assert.deepStrictEqual(choose(all, { locale: "fr" }), { SMS: "fr-CA" })
    assert.deepStrictEqual(choose(all, { locale: "de" }), { SMS: "any" })
    assert.deepStrictEqual(choose(all.slice(1), { locale: "de" }), {})
  })

  it("is found by name, ignoring case, and by DLT id, in another language if necessary", () => {
    const all = [
      head("a", { name: "Welcome", locale: "hi" }),
      head("b", { dltTemplateId: id, name: "dlt", locale: "hi" })
    ]
    assert.deepStrictEqual(choose(all, { name: "welcome " }), { SMS: "a" })
    assert.deepStrictEqual(choose(all, { options: { templateId: id } }), { SMS: "b" })
    assert.strictEqual(choose(all, { name: "other" }), "NOT_FOUND")
    assert.strictEqual(choose(all, { name: "default" }), "NOT_FOUND")
    assert.strictEqual(choose([], { name: "default" }), "NOT_FOUND")
    assert.strictEqual(choose(all, { name: "welcome", channel: "WHATSAPP" }), "NOT_FOUND")
    assert.strictEqual(choose(all, { name: "welcome", flow: linkFlow() }), "NOT_FOUND")
    assert.strictEqual(choose(all, { options: { templateId: "1".repeat(19) } }), "NOT_FOUND")
    assert.strictEqual(choose(all, { options: { templateId: id }, flow: linkFlow() }), "NOT_FOUND")
    for (const name of ["__proto__", "constructor", ""]) assert.strictEqual(choose(all, { name }), "NOT_FOUND")
  })

  it("accepts any DLT id while there is no SMS template", () => {
    assert.deepStrictEqual(choose([head("a", { channel: "RCS" })], { options: { templateId: id } }), {})
    assert.deepStrictEqual(choose([], { options: { templateId: id } }), {})
  })

  it("is chosen for the fallback channel too, and is built-in where none can be sent", () => {
    const whatsapp = head("w", { channel: "WHATSAPP", state: approved })
    const fallback = { channel: "WHATSAPP", after: 60_000 } as const
    assert.deepStrictEqual(choose([head("a"), whatsapp], { fallback }), { SMS: "a", WHATSAPP: "w" })
    assert.deepStrictEqual(choose([whatsapp], { fallback }), { WHATSAPP: "w" })
    const pending = { ...whatsapp, state: { ...approved, status: "PENDING" } } as const
    assert.deepStrictEqual(choose([head("a"), pending], { fallback }), { SMS: "a" })
    const named = [head("n", { name: "n" }), whatsapp]
    assert.deepStrictEqual(choose(named, { fallback, name: "n" }), { SMS: "n", WHATSAPP: "w" })
  })

  it("cannot be one that is incomplete or not approved", () => {
    const state = (status: "PENDING" | "UNKNOWN") => ({ ...approved, status })
    const on = { channel: "WHATSAPP" } as const
    assert.strictEqual(choose([head("a", { ...on, state: state("PENDING") })], on), "INVALID")
    assert.strictEqual(choose([head("a", { ...on, state: state("UNKNOWN") })], on), "INVALID")
    const problem = { fault: "INCOMPLETE", problem: "takes 2 values" } as const
    assert.strictEqual(choose([head("a", { ...on, state: { ...approved, problem } })], on), "INCOMPLETE")
    assert.strictEqual(choose([head("a", { header: "ACMEIN" })], { headers: ["OTHERS"] }), "INVALID")
    assert.deepStrictEqual(choose([head("a", { header: "ACMEIN" })], { headers: ["ACMEIN"] }), { SMS: "a" })
    assert.strictEqual(choose([head("a", { places: ["code", "domain"] })]), "INCOMPLETE")
    assert.deepStrictEqual(choose([head("a", { places: ["code", "domain"] })], {}, { domain: "example.com" }), {
      SMS: "a"
    })
    assert.strictEqual(choose([head("a", { places: ["code", "brand"] })], {}, { brand: " " }), "INCOMPLETE")
  })
})
