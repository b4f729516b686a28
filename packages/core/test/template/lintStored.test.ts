import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { knownChannels } from "../../src/index.channel.ts"
import { defaultSettings } from "../../src/index.ts"
import { differsFrom } from "../../src/message/template/dlt.ts"
import { lintStored } from "../../src/message/template/lintStored.ts"
import { checkComplete, checkNew, type TemplateFields } from "../../src/message/template/templateFields.ts"

const settings = { ...defaultSettings, brand: "Acme" }

const draft = (fields: TemplateFields) =>
  Result.getOrThrow(checkNew({ name: "login", channel: "SMS", ...fields }, knownChannels))

const told = (fields: TemplateFields, headers: ReadonlyArray<string> = []) =>
  lintStored(draft(fields), { settings, headers: new Set(headers) }).map(
    ({ field, problem, severity }) => `${severity} ${field}: ${problem}`
  )

const english = "{{code}} is your {{brand}} code."
const hindi = "{{code}} आपका {{brand}} कोड है।"
const id = "1107160000000000001"

describe("the fields of a template", () => {
  const wrong = (fields: TemplateFields) => {
    const checked = checkNew({ name: "login", channel: "SMS", body: english, ...fields }, knownChannels)
    return Result.isFailure(checked) ? checked.failure.field : "none"
  }

  it("are name, channel, purpose, locale and those of its channel", () => {
    assert.strictEqual(wrong({}), "none")
    const table: ReadonlyArray<[field: string, fields: ReadonlyArray<TemplateFields>]> = [
      [
        "name",
        [{ name: "" }, { name: "  " }, { name: "x".repeat(101) }, { name: "a\nb" }, { name: "a\0" }, { name: null }]
      ],
      ["channel", [{ channel: "sms" }, { channel: "TRUECALLER" }, { channel: null }, { channel: "" }]],
      ["purpose", [{ purpose: "code" }, { purpose: "" }]],
      ["locale", [{ locale: "English" }, { locale: "" }, { locale: "e" }, { locale: "en\n" }]],
      ["subject", [{ subject: "x" }]],
      ["html", [{ html: "<p></p>" }]],
      ["whatsappName", [{ whatsappName: "login_code" }]],
      [
        "header",
        [
          { channel: "EMAIL", header: "ACMEIN" },
          { channel: "RCS", header: "ACMEIN" }
        ]
      ],
      ["dltTemplateId", [{ channel: "WHATSAPP", body: null, dltTemplateId: id }]],
      [
        "body",
        [{ body: "{{code}}\0" }, { body: "{{code}}\u0007" }, { body: "{{code}} \ud800" }, { body: "x".repeat(20_001) }]
      ]
    ]
    for (const [field, all] of table)
      for (const fields of all) assert.strictEqual(wrong(fields), field, JSON.stringify(fields))
  })

  it("that its channel requires are reported by name when missing", () => {
    const missing = (fields: TemplateFields) => {
      const checked = checkComplete(draft(fields))
      return Result.isFailure(checked) ? checked.failure.field : "none"
    }
    assert.strictEqual(missing({}), "body")
    assert.strictEqual(missing({ body: "  \n" }), "body")
    assert.strictEqual(missing({ channel: "RCS" }), "body")
    assert.strictEqual(missing({ channel: "EMAIL", body: english }), "subject")
    assert.strictEqual(missing({ channel: "EMAIL", subject: "Hi", html: "<p>{{code}}</p>" }), "body")
    assert.strictEqual(missing({ channel: "WHATSAPP" }), "whatsappName")
    assert.strictEqual(missing({ body: english, dltText: "{#var#}" }), "dltTemplateId")
    assert.strictEqual(missing({ channel: "WHATSAPP", whatsappName: "login_code" }), "none")
  })

  it("take WhatsApp's language from the locale, or en", () => {
    const language = (fields: TemplateFields) =>
      draft({ channel: "WHATSAPP", whatsappName: "a", ...fields }).content.whatsappLanguage
    assert.strictEqual(language({}), "en")
    assert.strictEqual(language({ locale: "pt-BR" }), "pt_BR")
    assert.strictEqual(language({ locale: "hi", whatsappLanguage: "en_US" }), "en_US")
  })
})

describe("the rules for a template", () => {
  it("accept a correct one, in English and Hindi, on every channel", () => {
    for (const body of [english, hindi]) {
      assert.deepStrictEqual(told({ body }), [])
      assert.deepStrictEqual(told({ body, channel: "RCS" }), [])
      assert.deepStrictEqual(told({ body, dltTemplateId: id, header: "ACMEIN" }, ["ACMEIN"]), [])
      const html = `<html><body style="color:#111"><p title="{{brand}}">{{code}} &lt; {{brand}}</p></body></html>`
      assert.deepStrictEqual(told({ channel: "EMAIL", body, subject: body, html }), [])
    }
    const whatsapp = { channel: "WHATSAPP", whatsappName: "login_code", whatsappLanguage: "hi" }
    assert.deepStrictEqual(told(whatsapp), [])
    assert.deepStrictEqual(
      told({ ...whatsapp, purpose: "LINK", body: "{{brand}} में साइन इन करें।".replace("{{brand}} में", "अब {{brand}} में") }),
      []
    )
    assert.deepStrictEqual(told({ purpose: "LINK", body: "Sign in to {{brand}}:\n{{link}}" }), [])
    assert.deepStrictEqual(told({ purpose: "MESSAGE", body: "Hello {{first_name}}, welcome to {{brand}}" }), [])
  })

  it("report each problem with its field", () => {
    const table: ReadonlyArray<[TemplateFields, RegExp]> = [
      [{ body: "Hello" }, /^error body: must contain \{\{code\}\}/],
      [{ body: "नमस्ते" }, /^error body: must contain \{\{code\}\}/],
      [{ body: "{{code}} {{name}}" }, /^error body: \{\{name\}\} is not a placeholder/],
      [{ body: "{{code}} {{link}}" }, /^error body: must not contain \{\{link\}\}/],
      [{ body: "{{code}} {{brand}" }, /^error body: has \{\{ or \}\}/],
      [{ body: "{#var#} is your code {{code}}" }, /^error body: \{#var#\} is DLT's form/],
      [{ body: `{{code}}${"a".repeat(1_600)}` }, /^error body: is longer than 1600/],
      [{ body: english, dltTemplateId: "123" }, /^error dltTemplateId: must be a DLT template id of 19/],
      [{ body: english, header: "ACME" }, /^error header: must be a DLT sender id of 6/],
      [{ body: english, header: "OTHERS" }, /^error header: is not one of your sender ids/],
      [{ body: english, dltTemplateId: id, dltText: "{#var#} is your code." }, /^error dltText: /],
      [{ purpose: "LINK", body: "{{brand}}" }, /^error body: must contain \{\{link\}\}/],
      [{ purpose: "LINK", body: "({{link}})" }, /^error body: must have only white space/],
      [{ purpose: "MESSAGE", body: "Hello {{first name}}" }, /^error body: \{\{first name\}\} is not/],
      [{ channel: "EMAIL", body: english, subject: "a\nb" }, /^error subject: must be one line/],
      [{ channel: "EMAIL", body: english, subject: "x".repeat(251) }, /^error subject: is longer/],
      [{ channel: "WHATSAPP", whatsappName: "Login" }, /^error whatsappName: /],
      [{ channel: "WHATSAPP", whatsappName: "a", whatsappLanguage: "english" }, /^error whatsappLanguage: /],
      [
        { channel: "WHATSAPP", purpose: "LINK", whatsappName: "a", body: "{{brand}} now" },
        /^error body: must not begin/
      ],
      [
        { channel: "WHATSAPP", purpose: "LINK", whatsappName: "a", body: `a${"b".repeat(1_024)}` },
        /^error body: is longer/
      ],
      [{ channel: "WHATSAPP", purpose: "LINK", whatsappName: "a", body: "a\tb" }, /^error body: must not have tabs/]
    ]
    for (const [fields, expected] of table) {
      assert.match(told(fields, ["ACMEIN"])[0] ?? "none", expected, JSON.stringify(fields))
    }
  })

  it("refuse HTML with scripts or hidden content, or a placeholder in an unsafe position", () => {
    const of = (html: string) =>
      told({ channel: "EMAIL", subject: "Hi", body: english, html: `<p>{{code}}</p>${html}` })
    for (const html of [
      "<script>1</script>",
      "<SCRIPT src=x>",
      "<iframe>",
      "<form action=x>",
      '<img src="x" onerror="1">',
      '<img/onerror=1 src="x">',
      '<a href="javascript:1">',
      '<meta http-equiv="refresh" content="0">',
      "<p class={{brand}}>",
      '<a href="https://example.com/{{brand}}">',
      "<style>p{color:{{brand}}}</style>",
      '<p title="<" {{brand}}>',
      '<p x="{{brand}}" y="<">'
    ]) {
      assert.match(of(html)[0] ?? "none", /^error html: /, html)
    }
    assert.deepStrictEqual(of('<img src="https://example.com/logo.png" alt="{{brand}}">'), [
      "warning html: loads remote content, which many mail programs block, and which reveals who opened the mail"
    ])
    for (const start of ["{{", "<", "src=", "url(", "<a on", "</style", "{#", "data"]) {
      assert.isDefined(of(start + " ".repeat(50_000)))
      assert.isDefined(told({ body: `{{code}}${start}${" ".repeat(19_000)}x` }))
    }
    // The longest accepted text, made to be slow for regular expressions.
    for (const piece of ["<", "<style>", "<a ", '<p x="{{brand}}" ', "{{", "<style>{{"]) {
      assert.isDefined(of(piece.repeat(Math.floor(59_000 / piece.length))))
    }
  })

  it("report what an SMS costs, errors first", () => {
    assert.deepStrictEqual(told({ body: `${hindi} ${"क".repeat(70)}` }), [
      `warning body: needs 2 SMS segments (UCS-2 because of आ प क ा ो), and each is charged`
    ])
    const both = told({ body: "क".repeat(80) })
    assert.isTrue(both[0]!.startsWith("error") && both[1]!.startsWith("warning"), both.join("\n"))
  })
})

describe("a text that is registered for DLT", () => {
  it("is sent exactly, with 1 to 30 characters in each placeholder", () => {
    const same: ReadonlyArray<[registered: string, text: string]> = [
      ["{#var#} is your {#var#} code.", "123456 is your Acme code."],
      ["{#numeric#} is your {#alphanumeric#} code.", "123456 is your Acme code."],
      ["Your code is {#var#}", "Your code is 123456"],
      ["{#var#}{#var#}", "123456 and no more than that"],
      ["{#var#} आपका कोड है।", "123456 आपका कोड है।"],
      ["Open {#url#} now", `Open https://verify.example.com/l/${"x".repeat(90)} now`],
      ["{#var#} a {#var#} a", "1 a 2 a a"]
    ]
    for (const [registered, text] of same) assert.isNull(differsFrom(registered, text), text)
    const different: ReadonlyArray<[registered: string, text: string]> = [
      ["{#var#} is your {#var#} code.", "123456 is your Acme code"],
      ["{#var#} is your {#var#} code.", "123456 is your Acme code.."],
      ["{#var#} is your {#var#} code.", "123456 is Your Acme code."],
      ["{#var#} is your {#var#} code.", "123456 is your  code.".replace("  ", " ")],
      ["Your code is {#var#}", "Your code is "],
      ["Your code is {#var#}", `Your code is ${"1".repeat(31)}`],
      ["Your code is", "My code is"],
      ["Open {#var#} now", `Open https://verify.example.com/l/${"x".repeat(90)} now`]
    ]
    for (const [registered, text] of different) assert.isNotNull(differsFrom(registered, text), text)
    assert.isNotNull(differsFrom("{#var#}".repeat(200), "a".repeat(1_600)))
  })
})
