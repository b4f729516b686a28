import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { WhatsApp } from "@countersign/whatsapp"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { channelFor, message, optionsFor, plain } from "./fixtures/channel.ts"

const ensure = (options: WhatsApp.Options, codeExpirySeconds = 300) =>
  WhatsApp.ensureTemplate(options, { codeExpirySeconds }).pipe(Effect.provide(FetchHttpClient.layer))

it.effect("ensureTemplate creates the template once, with the code's lifetime as its time to live", () =>
  Effect.gen(function* () {
    const meta = yield* WhatsAppSimulator.make({
      templates: [
        { name: "login_code_2", language: "en" },
        { name: "login_code", language: "hi" }
      ]
    })
    const options = optionsFor(meta)
    const channel = yield* channelFor(meta)
    const before = plain(yield* Effect.exit(channel.send(message())))
    assert.deepStrictEqual(before["template"], "NOT_FOUND", "another name and another language do not count")
    assert.deepStrictEqual(yield* ensure(options), { status: "PENDING", created: true })
    assert.deepStrictEqual(yield* ensure(options), { status: "PENDING", created: false })
    yield* meta.setTemplate({ name: "login_code", language: "en", status: "APPROVED" })
    assert.deepStrictEqual(yield* ensure(options), { status: "APPROVED", created: false })
    yield* channel.send(message())
    const posts = (yield* meta.calls).filter((call) => call.startsWith("POST"))
    assert.deepStrictEqual(posts, ["POST /102290129340398/message_templates"])
  })
)

it.effect("ensureTemplate stays within Meta's limits for the time to live", () =>
  Effect.gen(function* () {
    for (const [life, ttl] of [
      [5, 30],
      [30, 30],
      [300, 300],
      [900, 900],
      [86_400, 900]
    ] as const) {
      const meta = yield* WhatsAppSimulator.make({ templates: [] })
      yield* ensure(optionsFor(meta), life)
      assert.strictEqual((yield* meta.template("login_code", "en"))?.message_send_ttl_seconds, ttl)
    }
  })
)

it.effect("ensureTemplate finds the template on a later page", () =>
  Effect.gen(function* () {
    const others = Array.from({ length: 60 }, (_, n) => ({ name: `login_code_${n}`, language: "en" }))
    const meta = yield* WhatsAppSimulator.make({ templates: [...others, { name: "login_code", language: "en" }] })
    assert.deepStrictEqual(yield* ensure(optionsFor(meta)), { status: "APPROVED", created: false })
    assert.strictEqual((yield* meta.calls).length, 3)
  })
)

it.effect("ensureTemplate reports why the template is refused", () =>
  Effect.gen(function* () {
    const meta = yield* WhatsAppSimulator.make()
    const { wabaId: _, ...without } = optionsFor(meta)
    assert.strictEqual((yield* Effect.flip(ensure(without)))._tag, "InvalidOptions")
    const codeOf = Effect.fnUntraced(function* (options: WhatsApp.Options) {
      const error = yield* Effect.flip(ensure(options))
      return error._tag === "ChannelError" ? `${error.reason._tag} ${error.reason.providerCode}` : error._tag
    })
    const options = optionsFor(meta)
    assert.strictEqual(yield* codeOf({ ...options, wabaId: "1" }), "Refused 100")
    assert.strictEqual(yield* codeOf({ ...options, accessToken: Redacted.make("no") }), "Refused 190")
    const gone = yield* Effect.scoped(WhatsAppSimulator.make())
    assert.strictEqual(yield* codeOf(optionsFor(gone)), "Unavailable not_reached")
  })
)
