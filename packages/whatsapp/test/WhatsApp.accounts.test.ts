import type { CodeMessage } from "@countersign/core/channel"
import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { channelFor, message, plain } from "./fixtures/channel.ts"

const ours = "106540352242922"
const theirs = "206540352242922"
const others = "306540352242922"
const templates = [{ name: "login_code", language: "en" }]

const made = Effect.gen(function* () {
  const meta = yield* WhatsAppSimulator.make({ phoneNumberIds: [ours], script: WhatsAppSimulator.scripts.silent })
  yield* meta.addAccount({ wabaId: "2", accessToken: "EAAGtheirs", phoneNumberIds: [theirs], templates })
  yield* meta.addAccount({ wabaId: "3", accessToken: "EAAGothers", phoneNumberIds: [others], templates })
  return meta
})

const from = (id: string, token: string, more: Partial<CodeMessage> = {}): CodeMessage => ({
  ...message(),
  account: { id, accessToken: Redacted.make(token) },
  ...more
})

const sendersOf = (meta: WhatsAppSimulator.WhatsAppSimulator) =>
  Effect.map(meta.seen, (seen) =>
    seen.map(({ raw }) => [raw.split("/")[2], /^authorization: Bearer (.*)\r$/im.exec(raw)?.[1]])
  )

it.effect("a message of an account is sent from its number with its token, even if it requests another number", () =>
  Effect.gen(function* () {
    const meta = yield* made
    const channel = yield* channelFor(meta)
    yield* channel.send(from(theirs, "EAAGtheirs"))
    yield* channel.send(from(others, "EAAGothers", { options: { wabaId: ours } }))
    yield* channel.send(message())
    assert.deepStrictEqual(yield* sendersOf(meta), [
      [theirs, "EAAGtheirs"],
      [others, "EAAGothers"],
      [ours, meta.accessToken]
    ])
  })
)

it.effect("an account with an invalid id or token is Refused before a request to Meta", () =>
  Effect.gen(function* () {
    const meta = yield* made
    const channel = yield* channelFor(meta)
    for (const [id, token, providerCode] of [
      ["../me", "EAAGtheirs", "unknown_sender"],
      ["", "EAAGtheirs", "unknown_sender"],
      [theirs, "EAAG\r\nX: 1", "unusable_token"],
      [theirs, "", "unusable_token"]
    ] as const) {
      const exit = yield* Effect.exit(channel.send(from(id, token)))
      assert.deepStrictEqual(plain(exit), { _tag: "Refused", providerCode, because: "account" })
    }
    assert.deepStrictEqual(yield* meta.seen, [])
  })
)

it.effect("an account's error is Refused for that account, and does not affect our numbers", () =>
  Effect.gen(function* () {
    const meta = yield* made
    const channel = yield* channelFor(meta)
    for (const refused of [190, 131031, 368, 131005, 10, 133010, 131042]) {
      yield* meta.mode({ refused }, theirs)
      const exit = yield* Effect.exit(channel.send(from(theirs, "EAAGtheirs")))
      assert.deepStrictEqual(plain(exit), { _tag: "Refused", providerCode: String(refused), because: "account" })
    }
    yield* meta.revoke("EAAGothers")
    const exit = yield* Effect.exit(channel.send(from(others, "EAAGothers")))
    assert.strictEqual(plain(exit)["providerCode"], "190")
    yield* channel.send(message())
  })
)

it.effect("an account without the code template does not affect our channel", () =>
  Effect.gen(function* () {
    const meta = yield* made
    const channel = yield* channelFor(meta)
    yield* meta.setTemplate({ name: "login_code", language: "en", status: "PAUSED" }, "2")
    const exit = yield* Effect.exit(channel.send(from(theirs, "EAAGtheirs")))
    assert.deepStrictEqual(plain(exit), { _tag: "Refused", providerCode: "132015", because: "template" })
  })
)

it.effect("a rate-limited account number waits alone, longer each time", () =>
  Effect.gen(function* () {
    const meta = yield* made
    const channel = yield* channelFor(meta)
    yield* meta.mode({ refused: 131048 }, theirs)
    const spam = plain(yield* Effect.exit(channel.send(from(theirs, "EAAGtheirs"))))
    assert.deepStrictEqual(spam, {
      _tag: "Unavailable",
      providerCode: "131048",
      retryAfterSeconds: 300,
      because: "sender"
    })
    yield* meta.mode({ refused: 130429 }, others)
    const rate = plain(yield* Effect.exit(channel.send(from(others, "EAAGothers"))))
    assert.deepStrictEqual(rate, { _tag: "Unavailable", providerCode: "130429", because: "sender" })
    // Errors of our own numbers, or of Meta itself, belong to the provider.
    yield* meta.mode({ refused: 130429 }, ours)
    assert.propertyVal(plain(yield* Effect.exit(channel.send(message()))), "because", "limit")
    yield* meta.mode({ refused: 131000 }, others)
    assert.notProperty(plain(yield* Effect.exit(channel.send(from(others, "EAAGothers")))), "because")
  })
)

it.effect("a merchant who connects one of our own ids cannot make it rest", () =>
  Effect.gen(function* () {
    const second = "106540352242999"
    const meta = yield* WhatsAppSimulator.make({
      phoneNumberIds: [ours, second],
      script: WhatsAppSimulator.scripts.silent
    })
    const channel = yield* channelFor(meta)
    for (let n = 0; n < 4; n++) yield* Effect.exit(channel.send(from(ours, "EAAGwrong")))
    for (let n = 0; n < 2; n++) yield* channel.send(message())
    assert.deepStrictEqual(
      (yield* meta.messages).map(({ phoneNumberId }) => phoneNumberId),
      [ours, second]
    )
  })
)
