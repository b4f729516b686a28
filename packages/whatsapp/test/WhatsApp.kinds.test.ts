import type { TemplateMessage, TextMessage } from "@countersign/core/channel"
import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
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

describe("plain words", () => {
  it.effect("go to who wrote within the last 24 hours, without a preview and under the message they answer", () =>
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

  it.effect("go to somebody who hides their number, by their id", () =>
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

  it.effect("that no request can be made of are Refused before Meta is asked", () =>
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
      // 4,096 characters are as many as Meta allows, whatever they take in UTF-16.
      yield* channel.send(text("x".repeat(4_096)))
      yield* channel.send(text("😀".repeat(4_096)))
    })
  )
})

describe("a template by its name", () => {
  it.effect("carries its values in order, to numbers and to ids", () =>
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

  it.effect("that is refused is no fault of the template for codes", () =>
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

it.effect("a link is not carried", () =>
  Effect.gen(function* () {
    const meta = yield* made()
    const channel = yield* channelFor(meta)
    const { code: _, ...rest } = message()
    const exit = yield* Effect.exit(
      channel.send({ ...rest, _tag: "Link", url: Redacted.make("https://a.example/l/1"), token: Redacted.make("1") })
    )
    assert.isTrue(Exit.isFailure(exit))
    assert.strictEqual(plain(exit)["providerCode"], "unsupported_message")
    assert.deepStrictEqual(channel.supports.kinds, ["Code", "Template", "Text"])
  })
)
