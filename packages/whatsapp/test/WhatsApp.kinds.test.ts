import type { LinkMessage, TemplateMessage, TextMessage } from "@countersign/core/channel"
import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { channelFor, message, phone, plain, reference } from "./fixtures/channel.ts"

const common = {
  deliveryId: "dlv_1",
  reference,
  to: phone,
  brand: "Acme",
  locale: "en",
  validForSeconds: null,
  expiresAt: null,
  options: {}
}

const text = (words: string, more: Partial<TextMessage> = {}): TextMessage => ({
  _tag: "Text",
  ...common,
  text: Redacted.make(words),
  answers: null,
  ...more
})

const template = (values: ReadonlyArray<string>, more: Partial<TemplateMessage> = {}): TemplateMessage => ({
  _tag: "Template",
  ...common,
  text: Redacted.make(""),
  name: "order_update",
  language: "en_US",
  values: values.map((value) => Redacted.make(value)),
  ...more
})

const templates = [
  { name: "login_code", language: "en" },
  { name: "order_update", language: "en_US", category: "UTILITY", body: "Hello {{1}}, {{2}} is on its way" },
  { name: "plain_news", language: "en_US", category: "MARKETING", body: "We moved" }
]
const made = (more: WhatsAppSimulator.Options = {}) =>
  WhatsAppSimulator.make({ templates, script: WhatsAppSimulator.scripts.silent, ...more })

const bodies = (meta: WhatsAppSimulator.WhatsAppSimulator) =>
  Effect.map(meta.messages, (messages) => messages.map(({ payload }) => payload))

describe("a text message", () => {
  it.effect("reaches customers who wrote within 24 hours, without a preview, as a reply to their message", () =>
    Effect.gen(function* () {
      const meta = yield* made()
      const channel = yield* channelFor(meta)
      const early = yield* Effect.exit(channel.send(text("Hello")))
      assert.deepStrictEqual(plain(early), { _tag: "Refused", providerCode: "131047", because: "channel" })
      const asked = yield* meta.customer(phone).says("Where is my order?")
      yield* channel.send(text("Here:\nhttps://acme.example/1", { answers: asked }))
      yield* TestClock.adjust("24 hours")
      const late = yield* Effect.exit(channel.send(text("Still there?")))
      assert.strictEqual(plain(late)["providerCode"], "131047")
      assert.deepStrictEqual(yield* bodies(meta), [
        {
          messaging_product: "whatsapp",
          recipient_type: "individual",
          to: phone,
          type: "text",
          biz_opaque_callback_data: reference,
          context: { message_id: asked },
          text: { preview_url: false, body: "Here:\nhttps://acme.example/1" }
        }
      ])
    })
  )

  it.effect("reaches a customer with a hidden number by their id", () =>
    Effect.gen(function* () {
      const meta = yield* made()
      const channel = yield* channelFor(meta)
      for (const userId of ["IN.1A2b3C", "US.ENT.1A2b3C"]) {
        yield* meta.deliver([yield* meta.letter({ userId, text: "Hi" })])
        yield* channel.send(text("Hello", { to: userId }))
      }
      assert.deepStrictEqual(
        (yield* bodies(meta)).map(({ recipient, to }) => [recipient, to]),
        [
          ["IN.1A2b3C", undefined],
          ["US.ENT.1A2b3C", undefined]
        ]
      )
    })
  )

  it.effect("that cannot be a valid request is Refused before a request to Meta", () =>
    Effect.gen(function* () {
      const meta = yield* made({ alwaysOpen: true })
      const channel = yield* channelFor(meta)
      const wrong = [
        [text(""), "empty_text", "content"],
        [text(" \n"), "empty_text", "content"],
        [text("x".repeat(4_097)), "text_too_long", "content"],
        [text("😀".repeat(4_097)), "text_too_long", "content"],
        [text("Hi", { to: "919812345678" }), "invalid_recipient", "recipient"],
        [text("Hi", { to: "IN.1A2b/../x" }), "invalid_recipient", "recipient"],
        [message({ to: "IN.1A2b3C" }), "invalid_recipient", "recipient"],
        [template(["a\nb", "c"]), "132018", "content"],
        [template(["a\tb", "c"]), "132018", "content"],
        [template(["a    b", "c"]), "132018", "content"]
      ] as const
      for (const [words, providerCode, because] of wrong) {
        const exit = yield* Effect.exit(channel.send(words))
        assert.deepStrictEqual(plain(exit), { _tag: "Refused", providerCode, because })
      }
      assert.deepStrictEqual(yield* meta.seen, [])
      // Meta allows 4,096 characters, however many UTF-16 units they take.
      yield* channel.send(text("x".repeat(4_096)))
      yield* channel.send(text("😀".repeat(4_096)))
    })
  )
})

describe("a template message", () => {
  it.effect("has its values in order, to numbers and to ids", () =>
    Effect.gen(function* () {
      const meta = yield* made()
      const channel = yield* channelFor(meta)
      yield* channel.send(template(["Asha", "your parcel"]))
      yield* channel.send(template([], { name: "plain_news", to: "IN.1A2b3C" }))
      const [first, second] = yield* meta.messages
      assert.deepStrictEqual(first?.payload["template"], {
        name: "order_update",
        language: { code: "en_US", policy: "deterministic" },
        components: [
          {
            type: "body",
            parameters: [
              { type: "text", text: "Asha" },
              { type: "text", text: "your parcel" }
            ]
          }
        ]
      })
      assert.deepStrictEqual([first?.text, first?.code], ["Hello Asha, your parcel is on its way", null])
      assert.deepStrictEqual([second?.text, second?.userId], ["We moved", "IN.1A2b3C"])
    })
  )

  it.effect("that is refused does not affect the code template", () =>
    Effect.gen(function* () {
      const meta = yield* made({ alwaysOpen: true })
      const channel = yield* channelFor(meta)
      const outcome = (words: TemplateMessage | TextMessage) => Effect.map(Effect.exit(channel.send(words)), plain)
      assert.deepStrictEqual(yield* outcome(template([], { name: "nobodys" })), {
        _tag: "Refused",
        providerCode: "132001",
        because: "template"
      })
      assert.deepStrictEqual(yield* outcome(template(["one"])), {
        _tag: "Refused",
        providerCode: "132000",
        because: "template"
      })
      yield* meta.mode({ refused: 131008 })
      assert.deepStrictEqual(yield* outcome(text("Hi")), {
        _tag: "Refused",
        providerCode: "131008",
        because: "content"
      })
      const code = plain(yield* Effect.exit(channel.send(message())))
      assert.strictEqual(code["template"], "INCOMPLETE")
    })
  )
})

const linkTemplate = { name: "signin_link", language: "en" }
const link = (more: Partial<LinkMessage> = {}): LinkMessage => {
  const { code: _, ...rest } = message()
  const token = "env_1.01k9abcdef.tok7"
  const url = Redacted.make(`https://verify.example.com/l/${token}`)
  return { ...rest, _tag: "Link", url, token: Redacted.make(token), ...more }
}

describe("a link message", () => {
  const withLinks = [
    ...templates,
    {
      ...linkTemplate,
      category: "UTILITY",
      body: "Press to approve your sign-in to {{1}}.",
      button: "https://verify.example.com/l/{{1}}"
    }
  ]

  it.effect("uses the link template: the brand in its text, the token in its button", () =>
    Effect.gen(function* () {
      const meta = yield* made({ templates: withLinks })
      const channel = yield* channelFor(meta, { linkTemplate })
      assert.deepStrictEqual(channel.supports.kinds, ["Code", "Link", "Media", "Template", "Text"])
      yield* channel.send(link({ brand: "Acme \t  \u00a0 & \n Co " }))
      const [sent] = yield* meta.messages
      assert.deepStrictEqual(sent?.payload["template"], {
        name: "signin_link",
        language: { code: "en", policy: "deterministic" },
        components: [
          { type: "body", parameters: [{ type: "text", text: "Acme & Co" }] },
          { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "env_1.01k9abcdef.tok7" }] }
        ]
      })
      assert.strictEqual(sent?.url, "https://verify.example.com/l/env_1.01k9abcdef.tok7")
      assert.notInclude(JSON.stringify(sent?.payload), "verify.example.com", "the template holds the address")
    })
  )

  it.effect("is sent from a merchant's own number, with their account's template", () =>
    Effect.gen(function* () {
      const meta = yield* made({ templates: withLinks })
      const account = { id: "206540352242922", accessToken: Redacted.make("EAAGtheirs") }
      yield* meta.addAccount({ wabaId: "3", accessToken: "EAAGtheirs", phoneNumberIds: [account.id] })
      const channel = yield* channelFor(meta, { linkTemplate })
      // The merchant's error does not affect the link template of others.
      assert.deepStrictEqual(plain(yield* Effect.exit(channel.send(link({ account })))), {
        _tag: "Refused",
        providerCode: "132001",
        because: "template"
      })
      yield* meta.setTemplate(withLinks.at(-1)!, "3")
      yield* channel.send(link({ account }))
      assert.deepStrictEqual(
        (yield* meta.messages).map(({ phoneNumberId }) => phoneNumberId),
        [account.id]
      )
    })
  )

  it.effect("with a missing or different template is a template error", () =>
    Effect.gen(function* () {
      const faults = [
        [[], "132001", "NOT_FOUND"],
        [[{ ...linkTemplate, status: "PAUSED" }], "132015", "INVALID"],
        [[{ ...linkTemplate, category: "UTILITY", body: "{{1}}, {{2}}" }], "132000", "INCOMPLETE"],
        [[{ ...linkTemplate, category: "UTILITY", body: "{{1}}" }], "132018", "INVALID"]
      ] as const
      for (const [there, providerCode, template] of faults) {
        const meta = yield* made({ templates: there })
        const channel = yield* channelFor(meta, { linkTemplate })
        const exit = yield* Effect.exit(channel.send(link()))
        assert.deepStrictEqual(plain(exit), { _tag: "Refused", providerCode, because: "template", template })
      }
    })
  )

  it.effect("that cannot be a valid request is Refused before a request to Meta", () =>
    Effect.gen(function* () {
      const meta = yield* made({ templates: withLinks })
      const channel = yield* channelFor(meta, { linkTemplate })
      const wrong = [
        [link({ brand: " \n " }), "empty_brand", "content"],
        [link({ token: Redacted.make("../admin") }), "invalid_link", "content"],
        [link({ token: Redacted.make("a b") }), "invalid_link", "content"],
        [link({ token: Redacted.make("") }), "invalid_link", "content"],
        [link({ to: "9812345678" }), "invalid_recipient", "recipient"]
      ] as const
      for (const [words, providerCode, because] of wrong) {
        const exit = yield* Effect.exit(channel.send(words))
        assert.deepStrictEqual(plain(exit), { _tag: "Refused", providerCode, because })
      }
      assert.deepStrictEqual(yield* meta.seen, [])
    })
  )

  it.effect("is not supported without a link template", () =>
    Effect.gen(function* () {
      const meta = yield* made()
      const channel = yield* channelFor(meta)
      assert.deepStrictEqual(channel.supports.kinds, ["Code", "Media", "Template", "Text"])
      assert.deepStrictEqual(plain(yield* Effect.exit(channel.send(link()))), {
        _tag: "Refused",
        providerCode: "unsupported_message",
        because: "channel"
      })
      assert.deepStrictEqual(yield* meta.seen, [])
    })
  )
})
