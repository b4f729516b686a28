import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Caller } from "../../src/index.ts"
import type { Channel } from "../../src/index.channel.ts"
import { accepted, recordingChannel, unavailable } from "../fixtures/RecordingChannel.ts"
import { makeWorld, otp, start, until, withSettings } from "../fixtures/World.ts"

const second = 1000
const minute = 60 * second

const identities = () => {
  let next = 0
  return () => `98${String(next++).padStart(8, "0")}`
}

describe("a provider that is away for an hour", () => {
  it.effect("is called once a minute, affects no other channel, and is used again when it is back", () =>
    Effect.gen(function* () {
      let isBack = false
      const sms = recordingChannel("SMS", [Effect.suspend(() => (isBack ? accepted : unavailable("SMS")))])
      const whatsapp = recordingChannel("WHATSAPP")
      const world = yield* makeWorld({ channels: [sms.channel, whatsapp.channel] })
      const falling = withSettings(world.live, { fallbackChannel: "WHATSAPP" })
      const identity = identities()
      const initiate = (caller: Caller, channel: "SMS" | "WHATSAPP") =>
        world.verifications.initiate(caller, otp(identity(), { channel })).pipe(
          Effect.match({
            onFailure: ({ _tag }) => ({ _tag, id: "" }),
            onSuccess: ({ verification }) => ({ _tag: "taken", id: verification.id })
          })
        )
      const statusOf = (id: string) =>
        Effect.map(world.verifications.status(world.live, { requestId: id }), ({ deliveries, status }) =>
          [status, ...deliveries.map((one) => `${one.channel} ${one.status}`)].join()
        )

      const early: Array<string> = []
      for (let i = 0; i < 5; i++) early.push((yield* initiate(world.live, "SMS")).id)
      yield* until(Effect.sync(() => sms.received.length >= 5))
      // The circuit is open now. Later it is half-open for one message at a time.
      yield* TestClock.adjust(1)
      const tags: Array<string> = []
      const fell: Array<string> = []
      const others: Array<string> = []
      for (let at = 0; at < 60; at++) {
        tags.push((yield* initiate(world.live, "SMS"))._tag)
        const withFallback = yield* initiate(falling, "SMS")
        const other = yield* initiate(world.live, "WHATSAPP")
        assert.deepStrictEqual([withFallback._tag, other._tag], ["taken", "taken"])
        fell.push(withFallback.id)
        others.push(other.id)
        yield* TestClock.adjust("59 seconds")
        yield* TestClock.adjust("1 second")
      }
      assert.include(tags, "ProviderUnavailable")
      assert.deepStrictEqual([...new Set(tags)].toSorted(), ["ProviderUnavailable", "taken"])
      for (const id of early) assert.strictEqual(yield* statusOf(id), "FAILED,SMS FAILED")
      for (const id of others) assert.strictEqual(yield* statusOf(id), "PENDING,WHATSAPP SENT")
      for (const id of fell) assert.match(yield* statusOf(id), /^PENDING,SMS (FAILED|PENDING),WHATSAPP SENT$/)
      const tries = sms.received.map(({ at }) => at - start)
      assert.deepStrictEqual(tries.slice(0, 5), [0, 0, 0, 0, 0])
      for (const [i, at] of tries.entries()) {
        const gap = at - (tries[i - 1] ?? 0)
        if (i === 5) assert.isAtLeast(gap, 10 * second)
        if (i > 5 && at > 3 * minute) assert.isAtLeast(gap, minute)
      }

      isBack = true
      yield* TestClock.adjust("61 seconds")
      const since = sms.received.length
      const first = yield* initiate(world.live, "SMS")
      yield* TestClock.adjust(1)
      const second_ = yield* initiate(world.live, "SMS")
      yield* TestClock.adjust(1)
      for (const { _tag, id } of [first, second_]) {
        assert.strictEqual(_tag, "taken")
        assert.strictEqual(yield* statusOf(id), "PENDING,SMS SENT")
      }
      assert.strictEqual(sms.received.length, since + 2)
      assert.strictEqual(tags.length, 60)
    })
  )
})

describe("a channel with a rate limit", () => {
  it.effect("sends a thousand messages at its own rate, each once, and delays no other channel", () =>
    Effect.gen(function* () {
      const [messages, perSecond] = [1_000, 50]
      const sms = recordingChannel("SMS")
      const whatsapp = recordingChannel("WHATSAPP")
      const paced: Channel = { ...sms.channel, limits: { perSecond } }
      const world = yield* makeWorld({ channels: [paced, whatsapp.channel] })
      const identity = identities()
      yield* Effect.forEach(
        Array.from({ length: messages }, () => otp(identity())),
        (request) => world.verifications.initiate(world.live, request),
        { concurrency: "unbounded", discard: true }
      )
      const waits: Array<number> = []
      while (sms.received.length < messages) {
        const asked = yield* Clock.currentTimeMillis
        if (asked - start > 5 * minute) break
        const { verification } = yield* world.verifications.initiate(
          world.live,
          otp(identity(), { channel: "WHATSAPP" })
        )
        assert.strictEqual(yield* Clock.currentTimeMillis, asked)
        yield* TestClock.adjust("2 seconds")
        const message = whatsapp.received.find(({ reference }) => reference.includes(verification.id))
        waits.push((message?.at ?? Infinity) - asked)
      }
      assert.strictEqual(sms.received.length, messages)
      assert.strictEqual(new Set(sms.received.map(({ deliveryId }) => deliveryId)).size, messages)
      const times = sms.received.map(({ at }) => at)
      for (const [i, at] of times.entries()) {
        const before = times[i - perSecond]
        // A turn is a whole millisecond, so a turn at the edge may be rounded into the same second.
        if (before !== undefined) assert.isAtLeast(at - before, second - 1)
      }
      const took = times.at(-1)! - start
      assert.isAtLeast(took, ((messages - perSecond) / perSecond) * second)
      assert.isAtMost(took, 1.2 * (messages / perSecond) * second)
      assert.strictEqual(Math.max(...waits), 0)
    })
  )
})
