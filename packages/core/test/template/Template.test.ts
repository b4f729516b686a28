import { assert, describe, it } from "@effect/vitest"
import { render } from "../../src/index.ts"
import { fill, namesIn, unknownIn, type Values } from "../../src/message/template/Placeholder.ts"
import type { Template } from "../../src/message/template/Template.ts"

const values: Values = { code: "482913", link: "", minutes: "5", brand: "Acme", appHash: "", domain: "" }

const template = (words: Partial<Template>): Template => ({
  name: "otp",
  purpose: "CODE",
  channel: "SMS",
  locale: "en",
  version: 1,
  subject: null,
  body: "{{code}}",
  html: null,
  ...words
})

describe("filling a template", () => {
  it("replaces placeholders, with or without spaces", () => {
    assert.strictEqual(fill("{{code}} {{ code }} {{\tbrand\n}}", values), "482913 482913 Acme")
  })

  it("leaves text that is not a placeholder", () => {
    const text = "{{ }} {{}} {{nobody}} {{constructor}} {{__proto__}} {code} {{code}"
    assert.strictEqual(fill(text, values), text)
    assert.deepStrictEqual(unknownIn(text), ["", "", "nobody", "constructor", "__proto__"])
    assert.deepStrictEqual(namesIn("{{code}} and {{ brand }}"), ["code", "brand"])
  })

  it("never replaces placeholders inside a value", () => {
    const sly = { ...values, brand: "{{code}} $& $1 $$ $` {{brand}}", code: "{{minutes}}" }
    assert.strictEqual(fill("{{brand}}|{{code}}", sly), "{{code}} $& $1 $$ $` {{brand}}|{{minutes}}")
  })
})

describe("rendering a template", () => {
  it("escapes values in HTML only", () => {
    const brand = `<b onclick='x("y")'>&amp;</b>`
    const { html, subject, text } = render(
      template({ subject: "{{brand}}", body: "{{brand}}", html: "<p>{{brand}}</p>" }),
      { ...values, brand }
    )
    assert.strictEqual(html, "<p>&lt;b onclick=&#39;x(&quot;y&quot;)&#39;&gt;&amp;amp;&lt;/b&gt;</p>")
    assert.deepStrictEqual([subject, text], [brand, brand])
  })

  it("keeps the subject on one line", () => {
    const brand = "Acme\r\nBcc: evil@e.example\r\n\r\nbody\u2028\u2029\u0000\u0085x"
    assert.strictEqual(
      render(template({ subject: "Code\nof {{brand}}" }), { ...values, brand }).subject,
      "Code of Acme Bcc: evil@e.example body x"
    )
  })

  it("drops empty lines at the end", () => {
    assert.strictEqual(render(template({ body: "{{code}}\n\n{{appHash}}" }), values).text, "482913")
    assert.deepStrictEqual(render(template({}), values), { subject: "", text: "482913", html: null })
  })
})
