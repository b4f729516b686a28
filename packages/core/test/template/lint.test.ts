import { assert, describe, it } from "@effect/vitest"
import type { Template } from "../../src/message/template/Template.ts"
import { type Finding, lint } from "../../src/message/template/lint.ts"

const sms = (body: string): Template => ({
  name: "otp",
  purpose: "CODE",
  channel: "SMS",
  locale: "en",
  version: 1,
  subject: null,
  body,
  html: null
})

const told = (findings: ReadonlyArray<Finding>) =>
  findings.map(({ field, problem, severity }) => `${severity} ${field}: ${problem}`)

describe("linting a template", () => {
  it("reports nothing when it is correct", () => {
    assert.deepStrictEqual(lint(sms("{{code}} is your {{brand}} code.")), [])
  })

  it("reports an unknown placeholder and a missing code, in every part", () => {
    const mail: Template = { ...sms("{{cod}}"), channel: "EMAIL", subject: "{{Code}}", html: "<p></p>" }
    assert.deepStrictEqual(told(lint(mail)), [
      "error subject: {{Code}} is not a placeholder",
      "error body: {{cod}} is not a placeholder",
      "error body: must contain {{code}}",
      "error html: must contain {{code}}"
    ])
  })

  it("requires the link and refuses the code in a link template, and the other way round", () => {
    const link = (body: string): Template => ({ ...sms(body), name: "link", purpose: "LINK" })
    assert.deepStrictEqual(told(lint(link("Sign in: {{link}}"))), [])
    assert.deepStrictEqual(told(lint(link("Sign in: {{ link }}\nbye"))), [])
    assert.deepStrictEqual(told(lint(link("{{code}} for {{brand}}"))), [
      "error body: must contain {{link}}",
      "error body: must not contain {{code}}"
    ])
    assert.deepStrictEqual(told(lint(sms("{{code}} {{link}}"))), ["error body: must not contain {{link}}"])
  })

  it("reports a link that detectors would truncate or extend", () => {
    const wrong = "error body: must have only white space, or nothing, directly before and after {{link}}"
    for (const body of ["{{link}}.", "({{link}})", "<{{link}}>", "to:{{link}}", "{{link}}।"]) {
      assert.include(told(lint({ ...sms(body), purpose: "LINK" })), wrong, body)
    }
  })

  it("reports the number of segments, and the characters that cause it", () => {
    assert.deepStrictEqual(told(lint(sms(`{{code}} ${"a".repeat(151)}`))), [])
    assert.deepStrictEqual(told(lint(sms(`{{code}} ${"a".repeat(152)}`))), [
      "warning body: needs 2 SMS segments (GSM-7), and each is charged"
    ])
    assert.deepStrictEqual(told(lint(sms(`{{code}} ’${"a".repeat(61)}`))), [
      "warning body: needs 2 SMS segments (UCS-2 because of ’), and each is charged"
    ])
    assert.include(told(lint(sms(`{{code}}${"a".repeat(1600)}`))), "error body: is longer than 1600 characters")
  })

  it("requires the browser autofill line to be exact, and the last line", () => {
    const wrong = ["error body: the last line must be exactly `@{{domain}} #{{code}}` for autofill in browsers"]
    assert.deepStrictEqual(told(lint(sms("Your code is {{code}}.\n\n@{{domain}} #{{code}}"))), [])
    for (const body of [
      "@{{domain}} #{{code}}\nYour code is {{code}}.",
      "Your code is {{code}}. @{{domain}} #{{code}}",
      "{{code}}\n@{{domain}}#{{code}}",
      "{{code}}\n@{{domain}} {{code}}",
      "{{code}}\n@{{domain}} #{{code}}."
    ]) {
      assert.deepStrictEqual(told(lint(sms(body))), wrong, body)
    }
  })

  it("requires the app hash at the end of an Android message, and a short text", () => {
    assert.deepStrictEqual(told(lint(sms("Your code is {{code}}.\n\n{{appHash}}"))), [])
    assert.deepStrictEqual(told(lint(sms("{{appHash}} Your code is {{code}}."))), [
      "error body: must end with {{appHash}}, or Android does not pass it to the app"
    ])
    assert.deepStrictEqual(told(lint(sms(`{{code}} ${"a".repeat(119)}\n{{appHash}}`))), [])
    assert.deepStrictEqual(told(lint(sms(`{{code}} ${"a".repeat(121)}\n{{appHash}}`))), [
      "warning body: is longer than 140 bytes, so Android does not pass it to the app"
    ])
  })
})
