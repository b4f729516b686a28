import { assert, describe, it } from "@effect/vitest"
import { builtInLink, render, SmsText } from "../../src/index.ts"
import type { ChannelName } from "../../src/index.channel.ts"
import type { Template } from "../../src/message/template/Template.ts"
import { lint } from "../../src/message/template/lint.ts"

const channels: ReadonlyArray<typeof ChannelName.Type> = ["SMS", "WHATSAPP", "EMAIL"]
const locales = ["en", "hi"]
const link = `https://verify.example.com/l/${"0".repeat(71)}`

const filled = (channel: typeof ChannelName.Type, locale: string, brand = "Example Shop", url = link) =>
  render(builtInLink(channel, locale), { code: "", link: url, minutes: "15", brand, appHash: "", domain: "" })

/** The usual link detection of phones and mail programs: everything up to the next white space. */
const found = (text: string) => Array.from(text.matchAll(/https?:\/\/\S+/g), ([address]) => address)

const problems = (template: Template) =>
  lint(template)
    .filter(({ severity }) => severity === "error")
    .map(({ field, problem }) => `${field}: ${problem}`)

describe("the built-in templates of links", () => {
  it("have no errors in any language, on any channel", () => {
    for (const locale of locales) {
      for (const channel of channels) assert.deepStrictEqual(problems(builtInLink(channel, locale)), [])
    }
  })

  it("are in the language of the locale, or in English", () => {
    assert.deepStrictEqual(
      ["en", "hi", "HI_in", "fr", "", "constructor"].map((locale) => builtInLink("SMS", locale).locale),
      ["en", "hi", "hi", "en", "en", "en"]
    )
  })

  it("fit one segment of SMS in English, and three in Hindi", () => {
    assert.deepStrictEqual(SmsText.measure(filled("SMS", "en").text), { encoding: "GSM-7", units: 159, segments: 1 })
    assert.isAtMost(SmsText.measure(filled("SMS", "hi").text).segments, 3)
  })

  it("contain exactly one link, which link detectors find whole", () => {
    for (const locale of locales) {
      for (const channel of channels) assert.deepStrictEqual(found(filled(channel, locale).text), [link], channel)
      assert.isTrue(filled("SMS", locale).text.endsWith(`\n${link}`))
      assert.isTrue(filled("WHATSAPP", locale).text.endsWith(`\n${link}`))
    }
  })

  it("are e-mails with the link as a button, its address below, and nothing to load", () => {
    for (const locale of locales) {
      const { html, subject, text } = filled("EMAIL", locale, `<img src="x"> & 'Co'`, `${link}?a=1&b="2"`)
      assert.notInclude(subject, link)
      const escaped = `${link}?a=1&amp;b=&quot;2&quot;`
      assert.deepStrictEqual(
        Array.from(html!.matchAll(/href="([^"]*)"/g), ([, href]) => href),
        [escaped, escaped]
      )
      assert.include(html!, `>${escaped}</a>`)
      assert.include(html!, "&lt;img src=&quot;x&quot;&gt; &amp; &#39;Co&#39;")
      assert.notMatch(html!, /<(img|script|link|iframe)\b|url\(|\{\{/i)
      assert.include(html!, `lang="${locale}"`)
      assert.include(html!, "prefers-color-scheme: dark")
      for (const part of [text, subject]) assert.notInclude(part, "{{")
    }
  })

  it("name the sender, the expiry, and what to do with a link that the person did not request", () => {
    for (const locale of locales) {
      for (const channel of channels) {
        const { html, text } = filled(channel, locale)
        for (const part of html === null ? [text] : [text, html]) {
          assert.include(part, "Example Shop")
          assert.include(part, "15")
          assert.match(part, /ignore|अनदेखा/i)
        }
      }
    }
  })
})
