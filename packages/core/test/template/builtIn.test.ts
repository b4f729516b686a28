import { assert, describe, it } from "@effect/vitest"
import { builtIn, render, SmsText } from "../../src/index.ts"
import type { ChannelName } from "../../src/index.channel.ts"
import { lint } from "../../src/message/template/lint.ts"

const none = { appHash: "", domain: "" }
const channels: ReadonlyArray<typeof ChannelName.Type> = ["SMS", "WHATSAPP", "RCS", "EMAIL"]

const filled = (channel: typeof ChannelName.Type, locale: string, hints = none, brand = "Acme") =>
  render(builtIn(channel, locale, hints), { code: "482913", link: "", minutes: "5", brand, ...hints })

describe("the built-in templates", () => {
  it("have no errors in any language, on any channel", () => {
    for (const locale of ["en", "hi"]) {
      for (const channel of channels) {
        const errors = lint(builtIn(channel, locale, none)).filter(({ severity }) => severity === "error")
        assert.deepStrictEqual(errors, [], `${channel} ${locale}`)
      }
      for (const hints of [
        { ...none, domain: "example.com" },
        { ...none, appHash: "AbCdEfGhIjK" }
      ]) {
        const errors = lint(builtIn("SMS", locale, hints)).filter(({ severity }) => severity === "error")
        assert.deepStrictEqual(errors, [], `${locale} ${JSON.stringify(hints)}`)
      }
    }
  })

  it("are in the language of the locale, or in English", () => {
    const languages = ["en", "hi", "hi-IN", "HI_in", "en-GB", "fr", "", "constructor", "__proto__"]
    assert.deepStrictEqual(
      languages.map((locale) => builtIn("SMS", locale, none).locale),
      ["en", "hi", "hi", "hi", "en", "en", "en", "en", "en"]
    )
  })

  it("start with the code and fit one segment in English", () => {
    const { text } = filled("SMS", "en")
    assert.strictEqual(text, "482913 is your Acme code, valid for 5 min. Do not share it with anyone.")
    assert.strictEqual(SmsText.measure(text).segments, 1)
    assert.isTrue(filled("SMS", "hi").text.startsWith("482913 "))
  })

  it("end with the lines for autofill on phones, on SMS only", () => {
    assert.match(filled("SMS", "en", { ...none, domain: "example.com" }).text, /\n\n@example\.com #482913$/)
    assert.match(filled("SMS", "en", { ...none, appHash: "AbCdEfGhIjK" }).text, /\n\nAbCdEfGhIjK$/)
    assert.match(
      filled("SMS", "en", { domain: "example.com", appHash: "AbCdEfGhIjK" }).text,
      /\n\n@example\.com #482913$/
    )
    assert.notInclude(filled("WHATSAPP", "en", { ...none, domain: "example.com" }).text, "@")
  })

  it("are e-mails with the same code in subject, text and HTML, and nothing to load", () => {
    for (const locale of ["en", "hi"]) {
      const { html, subject, text } = filled("EMAIL", locale, none, `<img src="x"> & Co`)
      for (const part of [html!, subject, text]) assert.include(part, "482913")
      assert.include(html!, "&lt;img src=&quot;x&quot;&gt; &amp; Co")
      assert.notMatch(html!, /<(img|script|link|iframe|a)\b|url\(|https?:/i)
      assert.include(html!, `lang="${locale}"`)
      assert.include(html!, "prefers-color-scheme: dark")
    }
  })
})
