import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { type Channel, ChannelError, Channels, Refused, Unavailable } from "../../src/index.channel.ts"
import { accepted, type Answer, recordingChannel, unavailable, unknownOutcome } from "../fixtures/RecordingChannel.ts"
import { makeWorld, otp, start, withSettings } from "../fixtures/World.ts"

const fails = (reason: ChannelError["reason"]): Answer => Effect.fail(new ChannelError({ channel: "SMS", reason }))

const carrier = (provider: string, answers: ReadonlyArray<Answer>) => {
  const { channel, received } = recordingChannel("SMS", answers)
  return { channel: { ...channel, provider }, received }
}

/** Codes over two SMS carriers, and the messages each received. */
const sendingBy = Effect.fnUntraced(function* (
  first: ReadonlyArray<Answer>,
  second: ReadonlyArray<Answer> = [accepted]
) {
  const [a, b] = [carrier("first", first), carrier("second", second)]
  const whatsapp = recordingChannel("WHATSAPP")
  const world = yield* makeWorld({ channels: [a.channel, b.channel, whatsapp.channel] })
  const live = withSettings(world.live, { fallbackChannel: "WHATSAPP" })
  const ask = (identity: string) => Effect.orDie(world.verifications.initiate(live, otp(identity)))
  const requestId = (yield* ask("+919876543210")).verification.id
  yield* TestClock.adjust(1)
  const shown = Effect.orDie(world.verifications.status(world.live, { requestId }))
  return { ...world, a, b, ask, requestId, shown, whatsapp }
})

const deliveriesOf = ({ deliveries }: { readonly deliveries: ReadonlyArray<object> }) => deliveries

describe("a code that its carrier certainly did not accept", () => {
  it.effect.each([
    ["refuses our credentials", fails(new Refused({ providerCode: "401", because: "account" }))],
    ["does not know the sender", fails(new Refused({ providerCode: "21212", because: "sender" }))],
    ["asks for fewer messages", fails(new Unavailable({ providerCode: "429", because: "limit" }))],
    ["cannot be reached", unavailable("SMS")]
  ] as const)("is sent by the next carrier immediately when the first %s", ([, answer]) =>
    Effect.gen(function* () {
      const { a, b, shown } = yield* sendingBy([answer])
      assert.deepStrictEqual([a.received.length, b.received.length], [1, 1])
      assert.strictEqual(b.received[0]!.at, start)
      assert.strictEqual(b.received[0]!.code, a.received[0]!.code)
      const deliveries = deliveriesOf(yield* shown)
      assert.strictEqual(deliveries.length, 1)
      assert.deepInclude(deliveries[0], { status: "SENT", carrier: "second" })
    })
  )

  it.effect("goes to no other carrier when the first may have it, or when the recipient is the reason", () =>
    Effect.gen(function* () {
      const recipient = fails(new Refused({ providerCode: "21211", because: "recipient" }))
      for (const answer of [unknownOutcome("SMS"), recipient]) {
        const { b, whatsapp } = yield* sendingBy([answer])
        yield* TestClock.adjust("60 seconds")
        assert.deepStrictEqual([b.received.length, whatsapp.received.length], [0, 1])
      }
    })
  )

  it.effect("stays SENT by the next carrier after any later report of the first one", () =>
    Effect.gen(function* () {
      const [a, b] = [carrier("first", [unavailable("SMS")]), carrier("second", [accepted])]
      const failed = { status: "FAILED" as const, providerId: null, providerCode: "30003", because: "account" as const }
      const receive = () =>
        Effect.sync(() => ({
          status: 200,
          contentType: "text/plain",
          body: "",
          receipts: a.received.map(({ reference }) => ({ ...failed, reference })),
          inbound: []
        }))
      const world = yield* makeWorld({
        channels: [{ ...a.channel, callback: { name: "first", receive } }, b.channel]
      })
      const { verification } = yield* Effect.orDie(world.verifications.initiate(world.live, otp("+919876543210")))
      yield* TestClock.adjust(1)
      const request = { method: "POST", url: "https://x.example/", query: {}, header: () => undefined }
      yield* Effect.orDie(world.receipts.receive("first", { ...request, body: new Uint8Array() }))
      yield* TestClock.adjust(1)
      assert.deepStrictEqual([a.received.length, b.received.length], [1, 1])
      const shown = yield* Effect.orDie(world.verifications.status(world.live, { requestId: verification.id }))
      assert.strictEqual(shown.deliveries.length, 1)
      assert.deepInclude(shown.deliveries[0], { status: "SENT", carrier: "second" })
    })
  )

  it.effect("is retried when no carrier accepts it, and is SENT by the first carrier that recovers", () =>
    Effect.gen(function* () {
      const { a, b, shown } = yield* sendingBy([unavailable("SMS")], [unavailable("SMS"), accepted])
      assert.deepStrictEqual([a.received.length, b.received.length], [1, 1])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual([a.received.length, b.received.length], [2, 2])
      assert.deepInclude(deliveriesOf(yield* shown)[0], { status: "SENT", carrier: "second" })
    })
  )
})

describe("a code that its carrier may have accepted", () => {
  it.effect("is sent once more by the same carrier only, even when that carrier is then unavailable", () =>
    Effect.gen(function* () {
      const { a, b, shown } = yield* sendingBy([unknownOutcome("SMS"), unavailable("SMS"), accepted])
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual([a.received.length, b.received.length], [3, 0])
      assert.deepInclude(deliveriesOf(yield* shown)[0], { status: "SENT", carrier: "first" })
    })
  )
})

describe("carriers with their own limits", () => {
  const limited = (provider: string, limits: Channel["limits"] & object, prefixes: ReadonlyArray<string>) => {
    const made = carrier(provider, [accepted])
    return { ...made, channel: { ...made.channel, limits, prefixes } }
  }

  it.effect("delay no message of another carrier when one is over its limit", () =>
    Effect.gen(function* () {
      const slow = limited("slow", { perSecond: 1, atOnce: 5 }, ["91"])
      const { channel: free, received } = carrier("free", [accepted])
      const world = yield* makeWorld({ channels: [slow.channel, { ...free, prefixes: ["44"] }] })
      const ask = (identity: string) => Effect.orDie(world.verifications.initiate(world.live, otp(identity)))
      for (let n = 0; n < 120; n++) yield* ask(`+9198765${String(n).padStart(5, "0")}`)
      yield* ask("+447400123456")
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(received.length, 1)
      assert.isAtMost(slow.received.length, 7)
    })
  )

  it.effect("pass messages over their limit to the next carrier", () =>
    Effect.gen(function* () {
      const slow = limited("slow", { perSecond: 2 }, [""])
      const free = limited("free", {}, [""])
      const world = yield* makeWorld({ channels: [slow.channel, free.channel] })
      for (let n = 0; n < 20; n++) {
        yield* Effect.orDie(world.verifications.initiate(world.live, otp(`+9198765${String(n).padStart(5, "0")}`)))
      }
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(slow.received.length + free.received.length, 20)
      assert.isAtLeast(slow.received.length, 1)
      assert.isAtMost(slow.received.length, 5)
    })
  )

  it.effect("get no more concurrent messages than they accept, beside busy carriers", () =>
    Effect.gen(function* () {
      let most = 0
      let now = 0
      const slow = limited("slow", { atOnce: 3 }, [""])
      const held: Channel = {
        ...slow.channel,
        send: () =>
          Effect.sync(() => (most = Math.max(most, ++now))).pipe(
            Effect.andThen(Effect.sleep("1 second")),
            Effect.ensuring(Effect.sync(() => now--)),
            Effect.as({ providerId: null })
          )
      }
      const other = limited("other", { atOnce: 50 }, ["44"])
      const world = yield* makeWorld({ channels: [held, other.channel] })
      for (let n = 0; n < 12; n++) {
        yield* Effect.orDie(world.verifications.initiate(world.live, otp(`+9198765${String(n).padStart(5, "0")}`)))
      }
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(most, 3)
    })
  )
})

describe("carriers with different capabilities", () => {
  it.effect("leave the fallback unused after a message by a carrier without receipts", () =>
    Effect.gen(function* () {
      const first = carrier("first", [unavailable("SMS")])
      const second = recordingChannel("SMS", [accepted], false)
      const whatsapp = recordingChannel("WHATSAPP")
      const world = yield* makeWorld({
        channels: [first.channel, { ...second.channel, provider: "second" }, whatsapp.channel]
      })
      const live = withSettings(world.live, { fallbackChannel: "WHATSAPP" })
      yield* Effect.orDie(world.verifications.initiate(live, otp("+919876543210")))
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual([second.received.length, whatsapp.received.length], [1, 0])
    })
  )

  it.effect("refuse a code immediately when the circuits of all carriers for the number are open", () =>
    Effect.gen(function* () {
      const [a, b] = [carrier("indian", [unavailable("SMS")]), carrier("british", [accepted])]
      const world = yield* makeWorld({
        channels: [
          { ...a.channel, prefixes: ["91"] },
          { ...b.channel, prefixes: ["44"] }
        ]
      })
      const ask = (identity: string) => Effect.result(world.verifications.initiate(world.live, otp(identity)))
      for (let n = 0; n < 6; n++) {
        yield* ask(`+91987654321${n}`)
        yield* TestClock.adjust(50)
      }
      const [indian, british] = [yield* ask("+919876543219"), yield* ask("+447400123456")]
      assert.strictEqual(Result.isFailure(indian) && indian.failure._tag, "ProviderUnavailable")
      assert.isTrue(Result.isSuccess(british))
    })
  )

  it.effect("take the channel's capabilities from the carrier with merchant accounts, in any order", () =>
    Effect.gen(function* () {
      const plain = carrier("plain", [accepted]).channel
      const accounts = { connect: () => Effect.die("unused"), media: () => Effect.die("unused") }
      const own: Channel = { ...plain, provider: "own", accounts }
      for (const order of [
        [plain, own],
        [own, plain]
      ]) {
        const channels = yield* Effect.provide(Channels, Channels.layer(order))
        assert.strictEqual(channels.find("SMS"), own)
      }
    })
  )
})

describe("a carrier that fails", () => {
  it.effect("opens its circuit, and the other carrier sends every code without a duplicate", () =>
    Effect.gen(function* () {
      const { a, ask, b } = yield* sendingBy([unavailable("SMS")])
      for (let n = 0; n < 100; n++) {
        yield* ask(`+9198765${String(n).padStart(5, "0")}`)
        yield* TestClock.adjust(50)
      }
      assert.strictEqual(b.received.length, 101)
      assert.strictEqual(new Set(b.received.map(({ to }) => to)).size, 101)
      assert.isAtMost(a.received.length, 12)
    })
  )
})

describe("a message that its carrier accepted and then failed to deliver", () => {
  const failedReceipt = (reference: string, because?: "account" | "recipient") => ({
    reference,
    status: "FAILED" as const,
    providerId: "m1",
    providerCode: "30002",
    ...(because === undefined ? {} : { because })
  })

  it.effect("is sent by the next carrier, and the fallback channel is not used", () =>
    Effect.gen(function* () {
      const { a, b, receipts, shown, whatsapp } = yield* sendingBy([accepted])
      yield* Effect.orDie(receipts.record(failedReceipt(a.received[0]!.reference, "account")))
      yield* TestClock.adjust(1)
      assert.deepStrictEqual([b.received.length, whatsapp.received.length], [1, 0])
      const [first, second] = deliveriesOf(yield* shown)
      assert.deepInclude(first, { status: "FAILED", carrier: "first" })
      assert.deepInclude(second, { status: "SENT", carrier: "second", attemptNumber: 2 })
    })
  )

  it.effect("is sent at most once by each carrier, after any receipts", () =>
    Effect.gen(function* () {
      const { a, b, receipts, whatsapp } = yield* sendingBy([accepted])
      for (let n = 0; n < 10; n++) {
        for (const { reference } of [...a.received, ...b.received]) {
          yield* Effect.orDie(receipts.record(failedReceipt(reference, "account")))
        }
        yield* TestClock.adjust(1)
      }
      assert.deepStrictEqual([a.received.length, b.received.length, whatsapp.received.length], [1, 1, 1])
    })
  )

  it.effect("is sent on the fallback channel when the other carriers do not carry such messages", () =>
    Effect.gen(function* () {
      const [a, b] = [carrier("first", [accepted]), carrier("second", [accepted])]
      const whatsapp = recordingChannel("WHATSAPP")
      const codesOnly = { ...b.channel, supports: { ...b.channel.supports, kinds: ["Code" as const] } }
      const world = yield* makeWorld({ channels: [a.channel, codesOnly, whatsapp.channel] })
      const live = withSettings(world.live, { fallbackChannel: "WHATSAPP", redirectUris: [] })
      yield* Effect.orDie(world.verifications.initiate(live, otp("+919876543210", { mode: "MAGIC_LINK" })))
      yield* TestClock.adjust(1)
      for (let n = 0; n < 10; n++) {
        for (const { reference } of a.received.slice()) {
          yield* Effect.orDie(world.receipts.record(failedReceipt(reference, "account")))
        }
        yield* TestClock.adjust(1)
      }
      assert.deepStrictEqual([a.received.length, b.received.length, whatsapp.received.length], [1, 0, 1])
    })
  )

  it.effect("is followed by one message when it was sent twice and both receipts report a failure", () =>
    Effect.gen(function* () {
      const { a, ask, b, receipts, whatsapp } = yield* sendingBy([accepted])
      yield* ask("+919876543210")
      yield* TestClock.adjust(1)
      assert.strictEqual(a.received.length, 2)
      for (const { reference } of a.received) {
        yield* Effect.orDie(receipts.record(failedReceipt(reference, "account")))
        yield* TestClock.adjust(1)
      }
      assert.deepStrictEqual([b.received.length, whatsapp.received.length], [1, 0])
    })
  )

  it.effect("is sent on the fallback channel, and by no other carrier, when the recipient is the reason", () =>
    Effect.gen(function* () {
      const { a, b, receipts, whatsapp } = yield* sendingBy([accepted])
      yield* Effect.orDie(receipts.record(failedReceipt(a.received[0]!.reference, "recipient")))
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual([b.received.length, whatsapp.received.length], [0, 1])
    })
  )
})
