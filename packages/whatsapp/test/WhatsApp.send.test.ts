import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { channelFor, code, message, phone, plain, reference, until } from "./fixtures/channel.ts"

it.effect("a WhatsApp send is one request, byte for byte as Meta documents it", () =>
  Effect.gen(function* () {
    const meta = yield* WhatsAppSimulator.make({ accessToken: "EAAGtoken" })
    const channel = yield* channelFor(meta)
    const sent = yield* channel.send(message())
    const [seen, ...more] = yield* meta.seen
    assert.deepStrictEqual(more, [])
    const [head = "", body] = seen!.raw.split("\r\n\r\n")
    assert.strictEqual(
      body,
      `{"messaging_product":"whatsapp","recipient_type":"individual","to":"+919812345678","type":"template",` +
        `"biz_opaque_callback_data":"${reference}",` +
        `"template":{"name":"login_code","language":{"code":"en","policy":"deterministic"},"components":[` +
        `{"type":"body","parameters":[{"type":"text","text":"482913"}]},` +
        `{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"482913"}]}]}}`
    )
    const lines = head.toLowerCase().split("\r\n")
    assert.strictEqual(lines[0], "post /v25.0/106540352242922/messages http/1.1")
    assert.include(lines, "authorization: bearer eaagtoken")
    assert.include(lines, "content-type: application/json")
    assert.isFalse(
      lines.some((line) => /^(b3|traceparent):/.test(line)),
      "no trace of ours travels to Meta"
    )
    assert.deepStrictEqual(sent, { providerId: seen!.providerId })
    const [taken] = yield* meta.messages
    assert.strictEqual(taken?.code, code)
    assert.strictEqual(taken?.waId, "919812345678")
    assert.strictEqual(taken?.reference, reference)
  })
)

it.effect("the version, template and language come from the options", () =>
  Effect.gen(function* () {
    const template = { name: "otp_2", language: "pt_BR" }
    const meta = yield* WhatsAppSimulator.make({ templates: [template] })
    const channel = yield* channelFor(meta, { version: "v24.0", template, apiUrl: `${meta.url}/` })
    yield* channel.send(message())
    const [seen] = yield* meta.seen
    assert.match(seen!.raw, /^POST \/v24\.0\//)
    const [taken] = yield* meta.messages
    assert.deepStrictEqual([taken?.template, taken?.language], ["otp_2", "pt_BR"])
  })
)

const overloaded = { _tag: "Unavailable", providerCode: "130429", because: "limit" }

const cases: ReadonlyArray<readonly [WhatsAppSimulator.WhatsAppMode, object]> = [
  [{ refused: 131026 }, { _tag: "Refused", providerCode: "131026", because: "channel" }],
  [{ refused: 133010 }, { _tag: "Refused", providerCode: "133010", because: "account" }],
  [{ refused: 132001 }, { _tag: "Refused", providerCode: "132001", because: "template", template: "NOT_FOUND" }],
  [
    { refused: 132001, status: 400 },
    { _tag: "Refused", providerCode: "132001", because: "template", template: "NOT_FOUND" }
  ],
  [{ refused: 132015 }, { _tag: "Refused", providerCode: "132015", because: "template", template: "INVALID" }],
  [{ refused: 131048 }, { _tag: "Unavailable", providerCode: "131048", retryAfterSeconds: 300, because: "limit" }],
  [{ refused: 131056 }, { _tag: "Unavailable", providerCode: "131056", retryAfterSeconds: 6, because: "recipient" }],
  [{ refused: 131000 }, { _tag: "Unavailable", providerCode: "131000" }],
  [{ refused: 130429, status: 400 }, overloaded],
  [{ refused: 130429, status: 200 }, overloaded],
  [
    { refused: 131026, status: 500 },
    { _tag: "Refused", providerCode: "131026", because: "channel" }
  ],
  [{ refused: 199999 }, { _tag: "Refused", providerCode: "199999", because: "account" }],
  [
    { refused: 199999, status: 503 },
    { _tag: "Unavailable", providerCode: "199999" }
  ],
  [{ overloaded: 130429 }, overloaded],
  [
    { overloaded: 80007, retryAfterSeconds: 90 },
    { _tag: "Unavailable", providerCode: "80007", retryAfterSeconds: 90, because: "limit" }
  ],
  [
    { overloaded: 429, retryAfterSeconds: 7 },
    { _tag: "Unavailable", providerCode: "http_429", retryAfterSeconds: 7, because: "limit" }
  ],
  [{ overloaded: 503 }, { _tag: "Unavailable", providerCode: "http_503" }],
  ["garbled", { _tag: "OutcomeUnknown", providerCode: "http_200" }],
  ["reset", { _tag: "OutcomeUnknown", providerCode: "no_answer" }],
  ["acceptThenDrop", { _tag: "OutcomeUnknown", providerCode: "no_answer" }]
]

for (const [mode, expected] of cases) {
  it.effect(`${JSON.stringify(mode)} is ${JSON.stringify(expected)}, after one request`, () =>
    Effect.gen(function* () {
      const meta = yield* WhatsAppSimulator.make()
      const channel = yield* channelFor(meta)
      yield* meta.mode(mode)
      assert.deepStrictEqual(plain(yield* Effect.exit(channel.send(message()))), expected)
      assert.strictEqual((yield* meta.seen).length, 1)
    })
  )
}

it.effect("a wrong token is an account error", () =>
  Effect.gen(function* () {
    const meta = yield* WhatsAppSimulator.make()
    const other = yield* WhatsAppSimulator.make({ accessToken: "another" })
    const channel = yield* channelFor(meta, { apiUrl: other.url })
    assert.deepStrictEqual(plain(yield* Effect.exit(channel.send(message()))), {
      _tag: "Refused",
      providerCode: "190",
      because: "account"
    })
  })
)

it.effect("an unknown number is an account error", () =>
  Effect.gen(function* () {
    const meta = yield* WhatsAppSimulator.make()
    const channel = yield* channelFor(meta, { phoneNumberIds: ["1"] })
    const exit = yield* Effect.exit(channel.send(message()))
    assert.deepStrictEqual(plain(exit), { _tag: "Refused", providerCode: "100", because: "account" })
  })
)

it.effect("an unreachable server is Unavailable, because nothing was sent", () =>
  Effect.gen(function* () {
    const gone = yield* Effect.scoped(WhatsAppSimulator.make())
    const channel = yield* channelFor(gone)
    assert.deepStrictEqual(plain(yield* Effect.exit(channel.send(message()))), {
      _tag: "Unavailable",
      providerCode: "not_reached"
    })
    const nowhere = yield* channelFor(gone, { apiUrl: "http://graph.invalid" })
    assert.deepStrictEqual(plain(yield* Effect.exit(nowhere.send(message())))["_tag"], "Unavailable")
  })
)

it.effect("a silent provider gets one request, and the send can be interrupted", () =>
  Effect.gen(function* () {
    const meta = yield* WhatsAppSimulator.make()
    const channel = yield* channelFor(meta)
    yield* meta.play("hanging")
    const fiber = yield* Effect.forkChild(channel.send(message()))
    yield* until(meta.seen, (seen) => seen.length > 0)
    yield* Fiber.interrupt(fiber)
    assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    assert.strictEqual((yield* meta.seen).length, 1)
    assert.deepStrictEqual(yield* meta.messages, [])
  })
)

const unsendable = [
  [{ code: "1234567890123456" }, "invalid_code"],
  [{ code: "" }, "invalid_code"],
  [{ code: "12\n34" }, "invalid_code"],
  [{ code: "12\t34" }, "invalid_code"],
  [{ code: "12    34" }, "invalid_code"],
  [{ code: "१२३४५६" }, "invalid_code"],
  [{ to: "919812345678" }, "invalid_recipient"],
  [{ to: `${phone},+12025550100` }, "invalid_recipient"],
  [{ to: "a@example.com" }, "invalid_recipient"],
  [{ to: `${phone}\r\n` }, "invalid_recipient"],
  [{ reference: "r".repeat(513) }, "invalid_reference"],
  [{ options: { wabaId: "999" } }, "unknown_sender"],
  [{ options: { wabaId: "../../me" } }, "unknown_sender"]
] as const

it.effect("a message that Meta would reject is refused without a request", () =>
  Effect.gen(function* () {
    const meta = yield* WhatsAppSimulator.make()
    const channel = yield* channelFor(meta)
    for (const [words, providerCode] of unsendable) {
      const answer = plain(yield* Effect.exit(channel.send(message(words))))
      assert.deepStrictEqual([answer["_tag"], answer["providerCode"]], ["Refused", providerCode])
    }
    assert.deepStrictEqual(yield* meta.seen, [])
  })
)

it.effect("the channel declares its capabilities", () =>
  Effect.gen(function* () {
    const meta = yield* WhatsAppSimulator.make({ phoneNumberIds: ["11", "22"] })
    const { callback, limits, name, provider, supports } = yield* channelFor(meta)
    assert.deepStrictEqual([name, provider, callback?.name], ["WHATSAPP", "whatsapp", "whatsapp"])
    assert.deepStrictEqual(supports, {
      identityTypes: ["MOBILE"],
      kinds: ["Code", "Media", "Template", "Text"],
      receipts: true,
      senders: ["11", "22"]
    })
    assert.deepStrictEqual(limits, { perSecond: 160 })
    assert.deepStrictEqual((yield* channelFor(meta, { perSecond: 20 })).limits, { perSecond: 20 })
  })
)
