import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"

const parameters = (text: unknown = "482913") => [{ type: "text", text }]
const body = (more: object = {}) => ({ type: "body", parameters: parameters(), ...more })
const button = (more: object = {}) => ({
  type: "button",
  sub_type: "url",
  index: "0",
  parameters: parameters(),
  ...more
})
const withParts = (...components: ReadonlyArray<unknown>) => ({
  template: { name: "login_code", language: { code: "en" }, components }
})
const payload = (more: object = {}) => ({
  messaging_product: "whatsapp",
  to: "+919812345678",
  type: "template",
  biz_opaque_callback_data: "att_42",
  ...withParts(body(), button()),
  ...more
})
const named = (name: string, language: string) => ({
  template: { name, language: { code: language }, components: [body(), button()] }
})

type Simulator = WhatsAppSimulator.WhatsAppSimulator

const Answer = Schema.fromJsonString(
  Schema.Struct({
    error: Schema.optionalKey(Schema.Struct({ code: Schema.Int })),
    contacts: Schema.optionalKey(Schema.Array(Schema.Struct({ input: Schema.String, wa_id: Schema.String }))),
    messages: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.String })))
  })
)

const post = (
  meta: Simulator,
  content: unknown,
  { path = `v25.0/${meta.phoneNumberIds[0]}/messages`, token = meta.accessToken } = {}
) =>
  Effect.gen(function* () {
    const response = yield* Effect.promise(() =>
      fetch(`${meta.url}/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: typeof content === "string" ? content : JSON.stringify(content)
      })
    )
    const answer = yield* Schema.decodeEffect(Answer)(yield* Effect.promise(() => response.text()))
    return { status: response.status, ...answer }
  })

const templates: ReadonlyArray<WhatsAppSimulator.WhatsAppTemplate> = [
  { name: "login_code", language: "en" },
  { name: "paused", language: "en", status: "PAUSED" },
  { name: "disabled", language: "en", status: "DISABLED" },
  { name: "pending", language: "en", status: "PENDING" },
  { name: "plain", language: "en", category: "UTILITY", body: "Hello {{1}}." },
  {
    name: "signin_link",
    language: "en",
    category: "UTILITY",
    body: "Sign in to {{1}}.",
    button: "https://a.example/l/{{1}}"
  }
]
const inTemplate = (name: string, ...components: ReadonlyArray<unknown>) =>
  payload({ template: { name, language: { code: "en" }, components } })

const wrong: ReadonlyArray<readonly [what: string, content: unknown, status: number, code: number]> = [
  ["no JSON", "{", 400, 100],
  ["null", "null", 400, 100],
  ["no messaging_product", payload({ messaging_product: undefined }), 400, 100],
  ["no to", payload({ to: undefined }), 400, 100],
  ["a short to", payload({ to: "+911" }), 400, 131009],
  ["a group", payload({ recipient_type: "group" }), 400, 100],
  ["free text", payload({ type: "text", text: { body: "482913" } }), 400, 131047],
  ["no language", payload({ template: { name: "login_code" } }), 400, 131008],
  ["an unknown template", payload(named("other", "en")), 404, 132001],
  ["another language", payload(named("login_code", "en_US")), 404, 132001],
  ["a template that waits for approval", payload(named("pending", "en")), 404, 132001],
  ["a paused template", payload(named("paused", "en")), 400, 132015],
  ["a disabled template", payload(named("disabled", "en")), 400, 132016],
  ["no components", payload(withParts()), 400, 132000],
  ["no body", payload(withParts(button())), 400, 132000],
  [
    "two parameters",
    payload(withParts(body({ parameters: [...parameters(), ...parameters()] }), button())),
    400,
    132000
  ],
  ["no button", payload(withParts(body())), 400, 131008],
  ["a button without a parameter", payload(withParts(body(), button({ parameters: [] }))), 400, 131008],
  ["copy_code", payload(withParts(body(), button({ sub_type: "copy_code" }))), 400, 132018],
  ["a numeric index", payload(withParts(body(), button({ index: 0 }))), 400, 132018],
  ["a newline", payload(withParts(body({ parameters: parameters("48\n29") }), button())), 400, 132018],
  ["a tab in the button", payload(withParts(body(), button({ parameters: parameters("48\t29") }))), 400, 132018],
  ["four spaces", payload(withParts(body({ parameters: parameters("48    29") }), button())), 400, 132018],
  ["a number for a text", payload(withParts(body({ parameters: parameters(482913) }), button())), 400, 132012],
  ["an empty text", payload(withParts(body({ parameters: parameters("") }), button())), 400, 131008],
  ["a long code", payload(withParts(body({ parameters: parameters("1234567890123456") }), button())), 400, 132005],
  ["a link without its button", inTemplate("signin_link", body()), 400, 131008],
  ["a link without its end", inTemplate("signin_link", body(), button({ parameters: [] })), 400, 131008],
  ["a link without its words", inTemplate("signin_link", button()), 400, 132000],
  ["a link in a quick reply", inTemplate("signin_link", body(), button({ sub_type: "quick_reply" })), 400, 132018],
  ["a button that the template has not", inTemplate("plain", body(), button()), 400, 132018],
  ["a long reference", payload({ biz_opaque_callback_data: "r".repeat(513) }), 400, 100]
]

describe("a request that Meta would refuse", () => {
  for (const [what, content, status, code] of wrong) {
    it.effect(`${what}: ${status}, ${code}`, () =>
      Effect.gen(function* () {
        const meta = yield* WhatsAppSimulator.make({ templates })
        const answer = yield* post(meta, content)
        assert.deepStrictEqual([answer.status, answer.error?.code], [status, code])
        assert.deepStrictEqual(yield* meta.messages, [])
        assert.deepStrictEqual(
          (yield* meta.seen).filter(({ providerId }) => providerId !== null),
          []
        )
      })
    )
  }

  it.effect("is refused with a wrong token, an unknown number, or a path without a version", () =>
    Effect.gen(function* () {
      const meta = yield* WhatsAppSimulator.make()
      const codeOf = (options: { path?: string; token?: string }) =>
        Effect.map(post(meta, payload(), options), ({ error, status }) => [status, error?.code])
      assert.deepStrictEqual(yield* codeOf({ token: "no" }), [401, 190])
      assert.deepStrictEqual(yield* codeOf({ path: "v25.0/999/messages" }), [400, 100])
      assert.deepStrictEqual(yield* codeOf({ path: `${meta.phoneNumberIds[0]}/messages` }), [400, 2500])
    })
  )
})

describe("a template created in the simulator", () => {
  const create = Effect.fnUntraced(function* (meta: Simulator, definition: unknown) {
    const answer = yield* post(meta, definition, { path: `v25.0/${meta.wabaId}/message_templates` })
    return answer.error?.code ?? answer.status
  })

  it.effect("follows the documentation, for codes and for links", () =>
    Effect.gen(function* () {
      const page = readFileSync(new URL("../../../docs/channels/whatsapp.md", import.meta.url), "utf8")
      const bodies = Array.from(page.matchAll(/message_templates"[^]*?-d '(\{[^']*\})'/g), ([, json]) =>
        JSON.parse(json!)
      )
      assert.deepStrictEqual(
        bodies.map(({ category, name }) => [name, category]),
        [
          ["login_code", "AUTHENTICATION"],
          ["signin_link", "UTILITY"]
        ]
      )
      const meta = yield* WhatsAppSimulator.make({ templates: [] })
      for (const definition of bodies) assert.strictEqual(yield* create(meta, definition), 200)
      assert.include(yield* meta.template("signin_link", "en"), { button: "https://verify.example.com/l/{{1}}" })
    })
  )

  it.effect("is refused with an unexpected variable, or without an example for one", () =>
    Effect.gen(function* () {
      const meta = yield* WhatsAppSimulator.make({ templates: [] })
      const text = { type: "BODY", text: "Sign in to {{1}}.", example: { body_text: [["Acme"]] } }
      const url = (address: string, more: object = { example: ["https://a.example/l/x"] }) => ({
        type: "BUTTONS",
        buttons: [{ type: "URL", text: "Sign in", url: address, ...more }]
      })
      const good = [text, url("https://a.example/l/{{1}}")]
      const wrong = [
        [{ ...text, text: "{{1}}: sign in" }, good[1]],
        [{ ...text, text: "Sign in to {{1}}" }, good[1]],
        [{ ...text, example: undefined }, good[1]],
        [good[1]],
        [text, url("https://a.example/{{1}}/l")],
        [text, url("https://a.example/l/{{2}}")],
        [text, url("https://a.example/l/{{1}}", {})]
      ]
      const define = (components: unknown, more: object = {}) =>
        create(meta, { name: "signin_link", language: "en", category: "UTILITY", components, ...more })
      for (const components of wrong) assert.strictEqual(yield* define(components), 100, JSON.stringify(components))
      assert.strictEqual(yield* define(good, { message_send_ttl_seconds: 43_201 }), 100)
      assert.strictEqual(yield* define(good, { message_send_ttl_seconds: 43_200 }), 200)
    })
  )
})

it.effect("is stored under its own name", () =>
  Effect.gen(function* () {
    const meta = yield* WhatsAppSimulator.make({ countryCode: "1" })
    const first = yield* post(meta, payload())
    // Without a plus, Meta assumes the country of the business.
    const second = yield* post(meta, payload({ to: "2025550100" }))
    assert.deepStrictEqual(first.contacts, [{ input: "+919812345678", wa_id: "919812345678" }])
    assert.deepStrictEqual(second.contacts, [{ input: "2025550100", wa_id: "12025550100" }])
    const kept = yield* meta.messages
    assert.deepStrictEqual(
      kept.map(({ wamid }) => wamid),
      [first, second].map(({ messages }) => messages?.[0]?.id)
    )
    const { wamid: _, ...message } = kept[0]!
    assert.deepStrictEqual(message, {
      to: "+919812345678",
      waId: "919812345678",
      userId: null,
      reference: "att_42",
      template: "login_code",
      language: "en",
      code: "482913",
      values: ["482913"],
      text: "482913 is your verification code.",
      url: null,
      answers: null,
      payload: JSON.parse(JSON.stringify(payload())),
      phoneNumberId: "106540352242922"
    })
  })
)

it.effect("the WhatsApp simulator ends with its scope, and its port is free again", () =>
  Effect.gen(function* () {
    const { url } = yield* Effect.scoped(WhatsAppSimulator.make())
    const gone = yield* Effect.exit(Effect.tryPromise(() => fetch(url)))
    assert.strictEqual(gone._tag, "Failure")
    const again = yield* WhatsAppSimulator.make({ port: Number(new URL(url).port) })
    assert.strictEqual(again.url, url)
  })
)
