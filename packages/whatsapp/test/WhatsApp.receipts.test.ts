import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as CallbackServer from "./fixtures/CallbackServer.ts"
import { channelFor, message, reference, until } from "./fixtures/channel.ts"

const { scripts } = WhatsAppSimulator

/** Simulated Meta, our channel, and the channel's callback behind a socket. */
const connected = Effect.fnUntraced(function* (options: WhatsAppSimulator.Options = {}) {
  const meta = yield* WhatsAppSimulator.make({ script: scripts.silent, ...options })
  const channel = yield* channelFor(meta)
  const server = yield* CallbackServer.make(channel)
  yield* meta.callbackTo(server.url)
  return { meta, channel, server }
})

it.effect("only Meta can subscribe to the callback", () =>
  Effect.gen(function* () {
    const { meta, server } = yield* connected()
    assert.isTrue(yield* meta.subscribe)
    const other = yield* WhatsAppSimulator.make({ verifyToken: "another", callbackUrl: server.url })
    assert.isFalse(yield* other.subscribe)
    assert.isFalse(yield* (yield* WhatsAppSimulator.make()).subscribe)
  })
)

it.effect("each report finds its message", () =>
  Effect.gen(function* () {
    const { channel, meta, server } = yield* connected()
    const { providerId } = yield* channel.send(message())
    const expected = { reference, sender: meta.phoneNumberIds[0]!, providerId, providerCode: null }
    for (const [said, meant] of [
      ["sent", "SENT"],
      ["delivered", "DELIVERED"],
      ["read", "READ"],
      ["played", "READ"]
    ] as const) {
      assert.strictEqual(yield* meta.report(providerId!, said), 200)
      assert.deepStrictEqual(yield* server.next, [{ ...expected, status: meant }])
    }
    assert.strictEqual(yield* meta.report(providerId!, "failed", 131026), 200)
    assert.deepStrictEqual(yield* server.next, [
      { ...expected, status: "FAILED", providerCode: "131026", because: "channel" }
    ])
  })
)

it.effect("a receipt arrives although the answer to the send was lost", () =>
  Effect.gen(function* () {
    const { channel, meta, server } = yield* connected()
    yield* meta.mode("acceptThenDrop")
    yield* Effect.exit(channel.send(message()))
    const [taken] = yield* meta.messages
    yield* meta.report(taken!.wamid, "delivered")
    const [receipt] = yield* server.next
    assert.strictEqual(receipt?.reference, reference)
  })
)

it.effect("batches are read completely, in order, with their repeats", () =>
  Effect.gen(function* () {
    const { channel, meta, server } = yield* connected({ phoneNumberIds: ["11", "22"] })
    const ids = yield* Effect.forEach([1, 2, 3], (n) => channel.send(message({ reference: `r${n}` })))
    const [one, two, three] = ids.map(({ providerId }) => providerId!)
    yield* meta.reportAll([
      { wamid: one!, status: "read" },
      { wamid: one!, status: "sent" },
      { wamid: two!, status: "delivered" },
      { wamid: three!, status: "failed", errorCode: 131049 },
      { wamid: one!, status: "sent" }
    ])
    const told = (yield* server.next).map((receipt) => `${receipt.reference} ${receipt.status}`)
    assert.deepStrictEqual(told, ["r1 READ", "r1 SENT", "r3 FAILED", "r1 SENT", "r2 DELIVERED"])
    assert.strictEqual((yield* meta.hooks).length, 1)
  })
)

const lives = [
  ["delivered", ["SENT", "DELIVERED"]],
  ["read", ["SENT", "DELIVERED", "READ"]],
  ["readAtOnce", ["SENT", "READ"]],
  ["undeliverable", ["FAILED"]],
  ["failedAfterSent", ["SENT", "FAILED"]],
  ["disordered", ["READ", "SENT", "DELIVERED"]]
] as const

for (const [life, expected] of lives) {
  it.effect(`a message has the statuses of the script "${life}"`, () =>
    Effect.gen(function* () {
      const { channel, meta, server } = yield* connected({ script: () => scripts[life] })
      yield* channel.send(message())
      const heard: Array<string> = []
      for (const { after } of scripts[life]) {
        yield* TestClock.setTime(0)
        yield* TestClock.adjust(after)
        for (const { status } of yield* server.next) heard.push(status)
      }
      assert.deepStrictEqual(heard, [...expected])
      const hooks = yield* meta.hooks
      assert.strictEqual(hooks.length, expected.length)
    })
  )
}

it.effect("reports without a 200 are sent again", () =>
  Effect.gen(function* () {
    const { channel, meta, server } = yield* connected({ retries: 2 })
    const { providerId } = yield* channel.send(message())
    server.fail(503, 2)
    assert.strictEqual(yield* meta.report(providerId!, "delivered"), 503)
    yield* TestClock.adjust("1 second")
    yield* until(meta.hooks, ([hook]) => hook?.answers.length === 2)
    yield* TestClock.adjust("2 seconds")
    const [receipt] = yield* server.next
    assert.strictEqual(receipt?.status, "DELIVERED")
    const [hook] = yield* until(meta.hooks, ([each]) => each?.answers.length === 3)
    assert.deepStrictEqual(hook?.answers, [503, 503, 200])
  })
)

it.effect("the signature covers the bytes as Meta escapes them", () =>
  Effect.gen(function* () {
    const { meta, server } = yield* connected()
    const status = yield* meta.notify({
      contacts: [{ profile: { name: "राम/😀" }, user_id: "IN.1A2b3C" }],
      messages: [{ id: "wamid.9" }]
    })
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(yield* server.next, [], "messages from people are ignored")
    const [hook] = yield* meta.hooks
    assert.include(hook!.body, String.raw`\u0930\u093e\u092e\/\ud83d\ude00`)
    assert.strictEqual(hook!.signature, WhatsAppSimulator.sign(meta.appSecret, hook!.body))
  })
)

it.effect("a webhook of another app is refused", () =>
  Effect.gen(function* () {
    const { server } = yield* connected()
    const other = yield* WhatsAppSimulator.make({ appSecret: "another secret", callbackUrl: server.url, retries: 0 })
    const channel = yield* channelFor(other)
    const { providerId } = yield* channel.send(message())
    assert.strictEqual(yield* other.report(providerId!, "delivered"), 403)
    assert.deepStrictEqual(yield* server.next, [])
  })
)
