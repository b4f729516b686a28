import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, VerificationExpired } from "../../src/index.ts"
import type { Channel } from "../../src/index.channel.ts"
import {
  accepted,
  type Answer,
  recordingChannel,
  refused,
  unavailable,
  unknownOutcome
} from "../fixtures/RecordingChannel.ts"
import { answer, indian, makeWorld, otp, start, until, withSettings, type World } from "../fixtures/World.ts"

const second = 1000

/** A world whose SMS channel gives the planned answers, with one verification started. */
const sending = Effect.fnUntraced(function* (
  answers: ReadonlyArray<Answer>,
  settings: Parameters<typeof withSettings>[1] = {}
) {
  const sms = recordingChannel("SMS", answers)
  const world = yield* makeWorld({ channels: [sms.channel] })
  const live = withSettings(world.live, settings)
  const { verification } = yield* world.verifications.initiate(live, otp(indian))
  const { id } = verification
  yield* until(Effect.sync(() => sms.received.length > 0))
  return { ...world, live, sms, id }
})

const shown = (world: World, caller: Caller, requestId: string) =>
  Effect.map(world.verifications.status(caller, { requestId }), ({ deliveries, status, undeliverable }) => ({
    status,
    undeliverable,
    deliveries: deliveries.map((one) => [one.channel, one.status, one.attemptNumber, one.providerCode])
  }))

describe("a send", () => {
  it.effect("is retried with growing delays while the provider is busy, and stays one delivery with one code", () =>
    Effect.gen(function* () {
      const busy = unavailable("SMS")
      const { id, live, sms, ...world } = yield* sending([busy, busy, busy, busy, accepted])
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(
        sms.received.map(({ at }) => (at - start) / second),
        [0, 1, 3, 7, 15]
      )
      assert.strictEqual(new Set(sms.received.map(({ code, deliveryId }) => `${code} ${deliveryId}`)).size, 1)
      assert.deepStrictEqual(yield* shown({ ...world, live }, live, id), {
        status: "PENDING",
        undeliverable: false,
        deliveries: [["SMS", "SENT", 1, null]]
      })
    })
  )

  it.effect("is retried at a random moment: up to a fifth later, so that retries spread out", () =>
    Effect.gen(function* () {
      const sms = recordingChannel("SMS", [unavailable("SMS"), unavailable("SMS", 20), accepted])
      const { live, verifications } = yield* makeWorld({ channels: [sms.channel], chance: 0.5 })
      yield* verifications.initiate(live, otp(indian))
      yield* TestClock.adjust("60 seconds")
      assert.deepStrictEqual(
        sms.received.map(({ at }) => (at - start) / second),
        [0, 1.1, 23.1]
      )
    })
  )

  it.effect("is repeated once when its outcome is unknown", () =>
    Effect.gen(function* () {
      const garbled = unknownOutcome("SMS")
      const { id, live, sms, ...world } = yield* sending([garbled, garbled, accepted])
      yield* TestClock.adjust("60 seconds")
      assert.deepStrictEqual(
        sms.received.map(({ at }) => (at - start) / second),
        [0, 1]
      )
      assert.deepStrictEqual((yield* shown({ ...world, live }, live, id)).deliveries, [["SMS", "PENDING", 1, null]])
    })
  )

  it.effect("waits as long as the provider asks", () =>
    Effect.gen(function* () {
      const { sms } = yield* sending([unavailable("SMS", 20), unavailable("SMS", 0.5), accepted])
      yield* TestClock.adjust("60 seconds")
      assert.deepStrictEqual(
        sms.received.map(({ at }) => (at - start) / second),
        [0, 20, 22]
      )
    })
  )

  it.effect.each([
    ["again and again", undefined, [0, 1, 3, 7, 15]],
    ["once, for a provider that asks for too much time", 40, [0]]
  ] as const)("is never retried after the code expires: %s", ([_how, wish, expected]) =>
    Effect.gen(function* () {
      const settings = { codeExpirySeconds: 30 }
      const { events, id, live, sms, ...world } = yield* sending([unavailable("SMS", wish)], settings)
      yield* TestClock.adjust("90 seconds")
      assert.deepStrictEqual(
        sms.received.map(({ at }) => (at - start) / second),
        [...expected]
      )
      assert.deepStrictEqual(yield* shown({ ...world, events, live }, live, id), {
        status: "FAILED",
        undeliverable: true,
        deliveries: [["SMS", "FAILED", 1, "busy"]]
      })
      assert.strictEqual((yield* events(live)).at(-1)!.type, "delivery.failed")
    })
  )

  it.effect("times out after ten seconds without an answer, and is retried", () =>
    Effect.gen(function* () {
      const { id, live, sms, ...world } = yield* sending([Effect.never, accepted])
      yield* TestClock.adjust("9999 millis")
      assert.strictEqual(sms.received.length, 1)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(
        sms.received.map(({ at }) => (at - start) / second),
        [0, 11]
      )
      assert.deepStrictEqual((yield* shown({ ...world, live }, live, id)).deliveries, [["SMS", "SENT", 1, null]])
    })
  )

  it.effect("that is refused fails immediately, with one event and the failure in the answer to a code", () =>
    Effect.gen(function* () {
      const { codeOf, events, id, live, sms, verifications, ...world } = yield* sending([refused("SMS")])
      const all = { ...world, codeOf, events, live, verifications }
      const expected: Effect.Success<ReturnType<typeof shown>> = {
        status: "FAILED",
        undeliverable: true,
        deliveries: [["SMS", "FAILED", 1, "blocked"]]
      }
      yield* until(Effect.map(Effect.orDie(shown(all, live, id)), ({ status }) => status === "FAILED"))
      assert.deepStrictEqual(yield* shown(all, live, id), expected)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(sms.received.length, 1)
      const verification = yield* verifications.status(live, { requestId: id })
      for (const text of [codeOf(verification), "000000"]) {
        assert.deepStrictEqual(
          yield* Effect.flip(verifications.verify(live, { requestId: id, otp: text })),
          new VerificationExpired({ requestId: id, undeliverable: true })
        )
      }
      assert.deepStrictEqual(yield* shown(all, live, id), expected)
      assert.deepStrictEqual(
        (yield* events(live)).map(({ type }) => type),
        ["otp.initiated", "delivery.failed"]
      )
      assert.notStrictEqual((yield* verifications.initiate(live, otp(indian))).verification.id, id)
    })
  )

  it.effect("is SKIPPED when the person was verified before it started", () =>
    Effect.gen(function* () {
      const { codeOf, id, live, sms, verifications, ...world } = yield* sending([unavailable("SMS")])
      const code = codeOf(yield* verifications.status(live, { requestId: id }))
      assert.strictEqual(answer(yield* verifications.verify(live, { requestId: id, otp: code })), "right")
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(sms.received.length, 1)
      assert.deepStrictEqual(yield* shown({ ...world, codeOf, live, verifications }, live, id), {
        status: "VERIFIED",
        undeliverable: false,
        deliveries: [["SMS", "SKIPPED", 1, null]]
      })
    })
  )

  it.effect("is DELIVERED when the channel reports that the message arrived", () =>
    Effect.gen(function* () {
      const { id, live, ...world } = yield* sending([Effect.succeed({ providerId: "m1", delivered: true })])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual((yield* shown({ ...world, live }, live, id)).deliveries, [["SMS", "DELIVERED", 1, null]])
    })
  )

  it.effect("survives a channel that throws", () =>
    Effect.gen(function* () {
      const { id, live, sms, ...world } = yield* sending([Effect.die(new Error("bug")), accepted])
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(sms.received.length, 2)
      assert.deepStrictEqual((yield* shown({ ...world, live }, live, id)).deliveries, [["SMS", "SENT", 1, null]])
    })
  )

  it.effect("happens exactly once for each of many concurrent messages", () =>
    Effect.gen(function* () {
      const sms = recordingChannel("SMS")
      const { live, verifications } = yield* makeWorld({ channels: [sms.channel] })
      const ids = yield* Effect.forEach(
        Array.from({ length: 1200 }, (_, i) => otp(`98${String(i).padStart(8, "0")}`)),
        (request) => Effect.map(verifications.initiate(live, request), ({ verification }) => verification.id),
        { concurrency: "unbounded" }
      )
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(
        [sms.received.length, new Set(sms.received.map((one) => one.deliveryId)).size],
        [1200, 1200]
      )
      for (const id of ids) {
        const { deliveries } = yield* verifications.status(live, { requestId: id })
        assert.deepStrictEqual(
          deliveries.map(({ status }) => status),
          ["SENT"]
        )
      }
    })
  )

  it.effect("does not happen for a merchant who was suspended after the request", () =>
    Effect.gen(function* () {
      const { id, keys, live, merchants, sms, ...world } = yield* sending([unavailable("SMS", 10)])
      yield* merchants.setStatus(keys.merchant.id, "SUSPENDED")
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(sms.received.length, 1)
      assert.deepStrictEqual((yield* shown({ ...world, keys, live, merchants }, live, id)).deliveries, [
        ["SMS", "FAILED", 1, "merchant_suspended"]
      ])
    })
  )
})

describe("a send in a test environment", () => {
  const neverUsed: Channel = {
    ...recordingChannel("SMS").channel,
    send: () => Effect.die(new Error("A message left the machine."))
  }

  it.effect.each([
    ["9876543210", "PENDING", "DELIVERED", null],
    ["9876540000", "FAILED", "FAILED", "unreachable"],
    ["+91 98765 40-000", "FAILED", "FAILED", "unreachable"],
    ["9876540001", "PENDING", "SENT", null],
    ["someone@example.com", "PENDING", "DELIVERED", null],
    ["someone0000@example.com", "FAILED", "FAILED", "unreachable"],
    ["someone0001@example.com", "PENDING", "SENT", null],
    ["someone@0000", "PENDING", "DELIVERED", null]
  ] as const)("to %s ends %s, with its delivery %s", ([identity, status, delivery, providerCode]) =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ channels: [neverUsed] })
      const { verification } = yield* world.verifications.initiate(world.test, otp(identity))
      yield* TestClock.adjust("2 seconds")
      const channel = identity.includes("@") ? "EMAIL" : "SMS"
      assert.deepStrictEqual(yield* shown(world, world.test, verification.id), {
        status,
        undeliverable: status === "FAILED",
        deliveries: [[channel, delivery, 1, providerCode]]
      })
    })
  )
})
