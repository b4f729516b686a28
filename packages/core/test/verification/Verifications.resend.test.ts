import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { RateLimited } from "../../src/index.ts"
import { plain } from "../fixtures/decisions.ts"
import { recordingChannel } from "../fixtures/RecordingChannel.ts"
import { answer, indian, makeWorld, otp, start, until, withSettings, wrong } from "../fixtures/World.ts"

const minute = 60_000

describe("initiate while a code is valid", () => {
  it.effect("resends the same code under the same id with a new expiry", () =>
    Effect.gen(function* () {
      const sms = recordingChannel("SMS")
      const whatsapp = recordingChannel("WHATSAPP")
      const { events, live, verifications } = yield* makeWorld({ channels: [sms.channel, whatsapp.channel] })
      const first = yield* verifications.initiate(live, otp(indian, { otpLength: 5, orderId: "o1" }))
      const { id } = first.verification
      yield* until(Effect.sync(() => sms.received.length === 1))
      const code = sms.received[0]!.code
      yield* verifications.verify(live, { requestId: id, otp: wrong(code) })

      yield* TestClock.adjust("4 minutes")
      const second = yield* verifications.initiate(
        live,
        otp(indian, { channel: "WHATSAPP", otpLength: 8, orderId: "o2" })
      )
      yield* until(Effect.sync(() => whatsapp.received.length === 1))
      assert.deepStrictEqual([sms.received.length, whatsapp.received[0]!.code, code.length], [1, code, 5])
      const { attempts, channel, codeLength, expiresAt, orderId, resends } = second.verification
      assert.deepStrictEqual(
        { id: second.verification.id, attempts, channel, codeLength, expiresAt, orderId, resends },
        {
          id,
          attempts: 1,
          channel: "WHATSAPP",
          codeLength: 5,
          expiresAt: start + 9 * minute,
          orderId: "o2",
          resends: 1
        }
      )
      const status = yield* verifications.status(live, { requestId: id })
      assert.deepStrictEqual(
        status.deliveries.map(({ attemptNumber, channel, status }) => [attemptNumber, channel, status]),
        [
          [1, "SMS", "SENT"],
          [2, "WHATSAPP", "SENT"]
        ]
      )
      for (const orderId of ["o1", "o2"]) assert.deepStrictEqual(yield* verifications.status(live, { orderId }), status)

      // Past the first expiry, with one of the three attempts used.
      yield* TestClock.adjust("4 minutes")
      assert.strictEqual(answer(yield* verifications.verify(live, { orderId: "o1", otp: wrong(code) })), 1)
      assert.strictEqual(answer(yield* verifications.verify(live, { orderId: "o2", otp: code })), "right")
      assert.deepStrictEqual(
        (yield* events(live)).map(({ type }) => type),
        ["otp.initiated", "otp.verified"]
      )
    })
  )

  it.effect.each([
    ["when attempts are used up", ["x", "x", "x"], 0],
    ["when it was verified", ["code"], 0],
    ["when it is over", [], 5 * minute]
  ] as const)("starts a new verification %s", ([_when, entered, wait]) =>
    Effect.gen(function* () {
      const { codeOf, live, verifications } = yield* makeWorld({ idle: true })
      const first = (yield* verifications.initiate(live, otp(indian))).verification
      const code = codeOf(first)
      for (const text of entered) {
        yield* verifications.verify(live, { requestId: first.id, otp: text === "code" ? code : wrong(code) })
      }
      yield* TestClock.adjust(wait)
      const second = (yield* verifications.initiate(live, otp(indian))).verification
      assert.notStrictEqual(second.id, first.id)
      assert.deepStrictEqual([second.attempts, second.resends, second.deliveries.length], [0, 0, 1])
    })
  )

  it.effect("resends to the exact spelling only", () =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeWorld({ idle: true })
      const spellings = ["9876543210", "919876543210", "+919876543210", "+91 9876543210", "98765-43210", "9876543210"]
      const ids = yield* Effect.forEach(spellings, (spelling) =>
        Effect.map(verifications.initiate(live, otp(spelling)), ({ verification }) => verification.id)
      )
      assert.strictEqual(new Set(ids).size, 5)
      assert.strictEqual(ids[5], ids[0])
    })
  )

  it.effect("stops at maxLifetimeSeconds, however often the code is resent", () =>
    Effect.gen(function* () {
      const { codeOf, live, verifications } = yield* makeWorld({ idle: true })
      const first = (yield* verifications.initiate(live, otp(indian))).verification
      for (let at = 4; at <= 28; at += 4) {
        yield* TestClock.setTime(start + at * minute)
        const { expiresAt, id } = (yield* verifications.initiate(live, otp(indian))).verification
        assert.deepStrictEqual([id, expiresAt], [first.id, start + Math.min(at + 5, 30) * minute])
      }
      yield* TestClock.setTime(start + 30 * minute)
      const { _tag } = yield* Effect.flip(verifications.verify(live, { requestId: first.id, otp: codeOf(first) }))
      assert.strictEqual(_tag, "VerificationExpired")
      assert.notStrictEqual((yield* verifications.initiate(live, otp(indian))).verification.id, first.id)
    })
  )

  it.effect("waits for resendCooldownSeconds", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const live = withSettings(world.live, { resendCooldownSeconds: 30 })
      const first = (yield* world.verifications.initiate(live, otp(indian))).verification
      const again = world.verifications.initiate(live, otp(indian))
      const refused = (retryAfterSeconds: number) =>
        new RateLimited({ limit: "cooldown", retryAfterSeconds, requestId: first.id })
      assert.deepStrictEqual(yield* Effect.flip(again), refused(30))
      yield* TestClock.adjust("28500 millis")
      assert.deepStrictEqual(yield* Effect.flip(again), refused(2))
      yield* TestClock.adjust("1499 millis")
      assert.deepStrictEqual(yield* Effect.flip(again), refused(1))
      assert.deepStrictEqual(yield* world.verifications.status(live, { requestId: first.id }), first)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* again).verification.resends, 1)
      assert.deepStrictEqual(yield* Effect.flip(again), refused(30))
    })
  )

  it.effect("counts resends exactly under concurrent requests", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const live = withSettings(world.live, { maxResends: 7 })
      const first = (yield* world.verifications.initiate(live, otp(indian))).verification
      const answers = yield* Effect.forEach(
        Array.from({ length: 60 }, () => world.verifications.initiate(live, otp(indian))),
        Effect.result,
        { concurrency: "unbounded" }
      )
      const refusal = new RateLimited({ limit: "resends", retryAfterSeconds: 300, requestId: first.id })
      const refused = answers.filter((one) => one._tag === "Failure")
      assert.deepStrictEqual([answers.length - refused.length, refused.length], [7, 53])
      for (const one of refused) assert.deepStrictEqual(one.failure, refusal)
      const { deliveries, resends } = yield* world.verifications.status(live, { requestId: first.id })
      assert.deepStrictEqual(
        [resends, deliveries.map(({ attemptNumber }) => attemptNumber)],
        [7, [1, 2, 3, 4, 5, 6, 7, 8]]
      )
    })
  )

  it.effect("sends once for one idempotency key, and again for another", () =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeWorld({ idle: true })
      const first = yield* verifications.initiate(live, otp(indian), "key 1")
      const repeats = yield* Effect.all(
        Array.from({ length: 20 }, () => verifications.initiate(live, otp(indian), "key 1")),
        { concurrency: "unbounded" }
      )
      for (const repeat of repeats) assert.deepStrictEqual(repeat, { ...first, repeated: true })
      const second = yield* verifications.initiate(live, otp(indian), "key 2")
      assert.deepStrictEqual(
        second.verification.deliveries.map(({ command }) => command),
        ["key 1", "key 2"]
      )
      const late = yield* verifications.initiate(live, otp(indian), "key 1")
      assert.deepStrictEqual(plain(late), { ...second, repeated: true })
    })
  )
})
