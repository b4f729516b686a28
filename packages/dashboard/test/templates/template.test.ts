import { assert, describe, it } from "vitest"
import {
  begun,
  bodyOf,
  changesOf,
  matchingTemplates,
  placeholdersOf,
  problemsOf,
  stateOf,
  takenBy,
  type Template,
  typedOf
} from "../../src/screens/templates/template.ts"

const stored: Template = {
  id: "tpl_1",
  version: 3,
  name: "default",
  channel: "SMS",
  purpose: "CODE",
  locale: "en",
  status: null,
  dltTemplateId: null,
  dltText: null,
  header: null,
  subject: null,
  body: "{{code}}",
  html: null,
  whatsappName: null,
  whatsappLanguage: null,
  createdAt: "2026-01-31T09:30:00.000Z",
  updatedAt: "2026-01-31T09:30:00.000Z",
  findings: []
}

describe("an edited template", () => {
  it("is saved with the texts of its channel only, and empty ones unset", () => {
    const typed = begun("SMS", "CODE", { subject: "left over", html: "<b>", locale: " hi ", header: " " })
    assert.deepStrictEqual(bodyOf(typed), {
      name: "default",
      channel: "SMS",
      purpose: "CODE",
      locale: "hi",
      body: "{{code}} is your {{brand}} code. It is valid for {{minutes}} min.",
      header: null,
      dltTemplateId: null,
      dltText: null
    })
  })

  it("saves only the changed fields", () => {
    assert.deepStrictEqual(changesOf(typedOf(stored), stored), {})
    assert.deepStrictEqual(changesOf({ ...typedOf(stored), body: "Hi {{code}}", locale: "" }, stored), {
      body: "Hi {{code}}",
      locale: null
    })
  })

  it("finds another template with the same name, channel, purpose and language", () => {
    const same = begun("SMS", "CODE", { name: " DEFAULT ", locale: "en" })
    assert.strictEqual(takenBy(same, null, [stored])?.id, "tpl_1")
    assert.isNull(takenBy(same, "tpl_1", [stored]))
    assert.isNull(takenBy({ ...same, locale: "hi" }, null, [stored]))
    assert.isNull(takenBy({ ...same, purpose: "LINK" }, null, [stored]))
  })

  it("offers the required variable first", () => {
    assert.strictEqual(placeholdersOf("CODE")[0], "code")
    assert.strictEqual(placeholdersOf("LINK")[0], "link")
    assert.notInclude(placeholdersOf("MESSAGE"), "code")
  })
})

describe("findings of a template", () => {
  it("appear at their field, an error before other findings", () => {
    const findings = [{ severity: "warning", field: "body", problem: "needs 2 SMS segments" }] as const
    assert.deepStrictEqual(problemsOf("body", findings, { message: "body: must contain {{code}}" }), [
      { severity: "error", problem: "must contain {{code}}" },
      findings[0]
    ])
    assert.deepStrictEqual(problemsOf("html", findings, { message: "body: is needed" }), [])
  })

  it("give a status: WhatsApp's first, then errors, then warnings", () => {
    const warning = { severity: "warning", field: "body", problem: "" } as const
    const word = (status: Template["status"], findings: Parameters<typeof stateOf>[0]["findings"]) =>
      stateOf({ status, findings }).word
    assert.strictEqual(word("PENDING", [warning]), "PENDING")
    assert.strictEqual(word("APPROVED", []), "APPROVED")
    assert.strictEqual(word(null, [warning, { ...warning, severity: "error" }]), "ERRORS")
    assert.strictEqual(word(null, [warning]), "WARNINGS")
    assert.strictEqual(word(null, []), "READY")
  })

  it("have a status filter, with `all languages` as a language", () => {
    const every = { ...stored, id: "tpl_2", locale: null }
    const ids = (wanted: Parameters<typeof matchingTemplates>[1]) =>
      matchingTemplates([stored, every], wanted).map(({ id }) => id)
    assert.deepStrictEqual(ids({ locale: "any" }), ["tpl_2"])
    assert.deepStrictEqual(ids({ locale: "en", channel: "SMS", state: "READY" }), ["tpl_1"])
    assert.deepStrictEqual(ids({ channel: "EMAIL" }), [])
  })
})
