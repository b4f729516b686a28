import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ChannelError, Refused, Unavailable } from "../../src/index.channel.ts"
import { accepted, type Answer, recordingChannel, unavailable, unknownOutcome } from "../fixtures/RecordingChannel.ts"
import { makeWorld, otp, start, withSettings } from "../fixtures/World.ts"

const fails = (reason: ChannelError["reason"]): Answer => Effect.fail(new ChannelError({ channel: "SMS", reason }))

const carrier = (provider: string, answers: ReadonlyArray<Answer>) => {
  const { channel, received } = recordingChannel("SMS", answers)
  return { channel: { ...channel, provider }, received }
}

/** Codes over two carriers of SMS, and what each of them got. */
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

describe("a code whose carrier certainly did not take it", () => {
  it.effect.each([
    ["refuses our credentials", fails(new Refused({ providerCode: "401", because: "account" }))],
    ["does not know the sender", fails(new Refused({ providerCode: "21212", because: "sender" }))],
    ["asks for fewer messages", fails(new Unavailable({ providerCode: "429", because: "limit" }))],
    ["cannot be reached", unavailable("SMS")]
  ] as const)("goes out by the next carrier at once where the first %s", ([, answer]) =>
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

  it.effect("goes out by no other carrier where the first may have it, or says that the person is the reason", () =>
    Effect.gen(function* () {
      const recipient = fails(new Refused({ providerCode: "21211", because: "recipient" }))
      for (const answer of [unknownOutcome("SMS"), recipient]) {
        const { b, whatsapp } = yield* sendingBy([answer])
        yield* TestClock.adjust("60 seconds")
        assert.deepStrictEqual([b.received.length, whatsapp.received.length], [0, 1])
      }
    })
  )

  it.effect("is retried later where no carrier takes it, and is SENT by whichever is back first", () =>
    Effect.gen(function* () {
      const { a, b, shown } = yield* sendingBy([unavailable("SMS")], [unavailable("SMS"), accepted])
      assert.deepStrictEqual([a.received.length, b.received.length], [1, 1])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual([a.received.length, b.received.length], [2, 2])
      assert.deepInclude(deliveriesOf(yield* shown)[0], { status: "SENT", carrier: "second" })
    })
  )
})

describe("a carrier that fails", () => {
  it.effect("rests, and every code goes out by the other one without a duplicate", () =>
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

describe("a message that its carrier took and then failed to deliver", () => {
  const failedReceipt = (reference: string, because?: "account" | "recipient") => ({
    reference,
    status: "FAILED" as const,
    providerId: "m1",
    providerCode: "30002",
    ...(because === undefined ? {} : { because })
  })

  it.effect("goes out by the next carrier, and the fallback channel is not used", () =>
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

  it.effect("goes out on the fallback channel, and by no other carrier, where the person is the reason", () =>
    Effect.gen(function* () {
      const { a, b, receipts, whatsapp } = yield* sendingBy([accepted])
      yield* Effect.orDie(receipts.record(failedReceipt(a.received[0]!.reference, "recipient")))
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual([b.received.length, whatsapp.received.length], [0, 1])
    })
  )
})
