import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, it } from "@effect/vitest"
import { Effect, type Layer, Logger, Queue, References } from "effect"
import { TestClock } from "effect/testing"
import { channelFor, message, plain, until } from "./fixtures/channel.ts"

const [a, b, c] = ["106540352242921", "106540352242922", "106540352242923"] as const
const three = WhatsAppSimulator.make({ phoneNumberIds: [a, b, c], script: WhatsAppSimulator.scripts.silent })

const senders = (meta: WhatsAppSimulator.WhatsAppSimulator) =>
  Effect.map(meta.seen, (seen) => seen.map(({ raw }) => raw.split("/")[2]))

it.effect("messages are sent from every number in turn", () =>
  Effect.gen(function* () {
    const meta = yield* three
    const channel = yield* channelFor(meta)
    for (let n = 0; n < 6; n++) yield* channel.send(message())
    assert.deepStrictEqual(yield* senders(meta), [a, b, c, a, b, c])
  })
)

it.effect("wabaId selects a number, healthy or not", () =>
  Effect.gen(function* () {
    const meta = yield* three
    const channel = yield* channelFor(meta)
    yield* meta.mode({ refused: 131048 }, b)
    const forced = message({ options: { wabaId: b } })
    for (let n = 0; n < 3; n++) {
      assert.deepStrictEqual(plain(yield* Effect.exit(channel.send(forced))), {
        _tag: "Unavailable",
        providerCode: "131048",
        retryAfterSeconds: 300,
        because: "limit"
      })
    }
    yield* meta.mode({ refused: 133010 }, b)
    const exit = yield* Effect.exit(channel.send(forced))
    assert.deepStrictEqual(plain(exit), { _tag: "Refused", providerCode: "133010", because: "account" })
    assert.deepStrictEqual(yield* senders(meta), [b, b, b, b])
  })
)

const troubles = [
  [131048, "5 minutes", "Unavailable"],
  [133010, "10 minutes", "Unavailable"],
  [131031, "10 minutes", "Unavailable"],
  [130429, "1 second", "Unavailable"],
  [80007, "1 second", "Unavailable"],
  // All numbers share the token, so another number would not help.
  [190, "10 minutes", "Refused"]
] as const

for (const [code, rest, tag] of troubles) {
  it.effect(`${code} is ${tag} while others are healthy, and its number rests for ${rest}`, () =>
    Effect.gen(function* () {
      const meta = yield* three
      const channel = yield* channelFor(meta)
      yield* meta.mode({ refused: code }, a)
      const first = plain(yield* Effect.exit(channel.send(message())))
      assert.strictEqual(first["_tag"], tag)
      assert.strictEqual(first["providerCode"], String(code))
      assert.notProperty(first, "retryAfterSeconds")
      assert.deepStrictEqual(yield* senders(meta), [a], "a send is one request, also when another number is healthy")
      yield* meta.mode("accepted", a)
      for (let n = 0; n < 4; n++) yield* channel.send(message())
      assert.deepStrictEqual(yield* senders(meta), [a, b, c, b, c])
      yield* TestClock.adjust(rest)
      yield* channel.send(message())
      assert.deepStrictEqual((yield* senders(meta)).at(-1), a)
    })
  )
}

it.effect("an unknown phone number id is skipped after one try", () =>
  Effect.gen(function* () {
    const meta = yield* three
    const channel = yield* channelFor(meta, { phoneNumberIds: ["999", b] })
    const first = plain(yield* Effect.exit(channel.send(message())))
    assert.deepStrictEqual(first, { _tag: "Unavailable", providerCode: "100" })
    for (let n = 0; n < 3; n++) yield* channel.send(message())
    assert.deepStrictEqual(yield* senders(meta), ["999", b, b, b])
  })
)

it.effect("three sends in a row without a valid answer make a number rest", () =>
  Effect.gen(function* () {
    const meta = yield* three
    const channel = yield* channelFor(meta)
    yield* meta.mode("reset", a)
    for (let n = 0; n < 7; n++) yield* Effect.exit(channel.send(message()))
    for (let n = 0; n < 4; n++) yield* channel.send(message())
    assert.deepStrictEqual(yield* senders(meta), [a, b, c, a, b, c, a, b, c, b, c])
  })
)

it.effect("a refusal because of the recipient or the template does not affect the number", () =>
  Effect.gen(function* () {
    const meta = yield* three
    const channel = yield* channelFor(meta)
    for (const code of [131026, 132001, 131056, 131009]) {
      yield* meta.mode({ refused: code }, a)
      for (let n = 0; n < 3; n++) yield* Effect.exit(channel.send(message()))
    }
    assert.strictEqual((yield* senders(meta)).filter((id) => id === a).length, 4)
  })
)

it.effect("a single number is used after any error", () =>
  Effect.gen(function* () {
    const meta = yield* WhatsAppSimulator.make()
    const channel = yield* channelFor(meta)
    for (const code of [131048, 133010, 190, 130429]) {
      yield* meta.mode({ refused: code })
      yield* Effect.exit(channel.send(message()))
    }
    yield* meta.play("accepted")
    yield* channel.send(message())
    assert.strictEqual((yield* meta.messages).length, 1)
  })
)

const byNumber = (one: readonly [unknown, unknown], other: readonly [unknown, unknown]) =>
  String(one[1]).localeCompare(String(other[1]))

/** Records the log lines. */
const listening = Effect.gen(function* () {
  const lines = yield* Queue.unbounded<readonly [text: unknown, phoneNumberId: unknown]>()
  const logger = Logger.make(({ fiber, message: words }) => {
    const { phoneNumberId } = fiber.getRef(References.CurrentLogAnnotations)
    Queue.offerUnsafe(lines, [Array.isArray(words) ? words[0] : words, phoneNumberId])
  })
  const layer: Layer.Layer<never> = Logger.layer([logger])
  return { next: Queue.take(lines), layer }
})

it.effect("refreshEvery queries Meta at the start and periodically, and applies the result", () =>
  Effect.gen(function* () {
    const meta = yield* three
    yield* meta.setNumber(a, { can_send_message: "BLOCKED" })
    yield* meta.setNumber(b, { quality_rating: "RED" })
    const { layer, next } = yield* listening
    const channel = yield* Effect.provide(channelFor(meta, { refreshEvery: "5 minutes" }), layer)
    const sick = [yield* next, yield* next].toSorted(byNumber)
    assert.deepStrictEqual(sick, [
      ["A WhatsApp number became unhealthy", a],
      ["A WhatsApp number became unhealthy", b]
    ])
    yield* channel.send(message())
    yield* channel.send(message())
    yield* meta.setNumber(a, { can_send_message: "LIMITED" })
    yield* meta.setNumber(c, { status: "FLAGGED" })
    yield* until(meta.calls, (calls) => calls.length === 3)
    yield* TestClock.adjust("5 minutes")
    const changes = [yield* next, yield* next].toSorted(byNumber)
    assert.deepStrictEqual(changes, [
      ["A WhatsApp number is healthy again", a],
      ["A WhatsApp number became unhealthy", c]
    ])
    yield* channel.send(message())
    yield* channel.send(message())
    assert.deepStrictEqual(yield* senders(meta), [c, c, a, a])
  })
)

it.effect("a check reactivates a repaired number", () =>
  Effect.gen(function* () {
    const meta = yield* three
    yield* meta.mode({ refused: 133010 }, a)
    const { layer, next } = yield* listening
    yield* Effect.gen(function* () {
      const channel = yield* channelFor(meta, { refreshEvery: "1 minute" })
      yield* until(meta.calls, (calls) => calls.length === 3)
      yield* Effect.exit(channel.send(message()))
      assert.deepStrictEqual(yield* next, ["A WhatsApp number became unhealthy", a])
      yield* meta.mode("accepted", a)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* next, ["A WhatsApp number is healthy again", a])
      for (let n = 0; n < 3; n++) yield* channel.send(message())
      assert.deepStrictEqual(yield* senders(meta), [a, b, c, a])
    }).pipe(Effect.provide(layer))
  })
)

it.effect("without refreshEvery Meta is never queried", () =>
  Effect.gen(function* () {
    const meta = yield* three
    const channel = yield* channelFor(meta)
    yield* TestClock.adjust("1 day")
    yield* channel.send(message())
    assert.deepStrictEqual(yield* meta.calls, [])
  })
)

it.effect("a refresh ends with its scope", () =>
  Effect.gen(function* () {
    const meta = yield* three
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* channelFor(meta, { refreshEvery: "1 minute" })
        yield* until(meta.calls, (calls) => calls.length === 3)
      })
    )
    yield* TestClock.adjust("1 hour")
    assert.strictEqual((yield* meta.calls).length, 3)
  })
)
