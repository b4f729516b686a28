import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Receipt } from "../../src/index.channel.ts"
import { accepted, type Answer, recordingChannel, refused, unavailable } from "../fixtures/RecordingChannel.ts"
import { answer, indian, makeProcess, makeStorage, makeWorld, otp, start, withSettings } from "../fixtures/World.ts"

/** A live verification by SMS with WhatsApp as fallback. */
const fallingBack = Effect.fnUntraced(function* (
  answers: { readonly sms?: ReadonlyArray<Answer>; readonly whatsapp?: ReadonlyArray<Answer> } = {},
  settings: Parameters<typeof withSettings>[1] = {},
  smsReports = true
) {
  const sms = recordingChannel("SMS", answers.sms ?? [accepted], smsReports)
  const whatsapp = recordingChannel("WHATSAPP", answers.whatsapp ?? [accepted])
  const storage = yield* makeStorage
  const channels = [sms.channel, whatsapp.channel]
  const world = yield* makeWorld({ storage, channels })
  const live = withSettings(world.live, { fallbackChannel: "WHATSAPP", ...settings })
  const initiate = (more = {}) => world.verifications.initiate(live, otp(indian, more))
  const { id } = (yield* initiate()).verification
  yield* TestClock.adjust("1 second")
  return {
    ...world,
    channels,
    live,
    storage,
    id,
    initiate,
    sms: sms.received,
    whatsapp: whatsapp.received,
    /** When each message was sent, in seconds. */
    sent: () => [sms.received, whatsapp.received].map((all) => all.map(({ at }) => (at - start) / 1000)),
    report: (status: Receipt["status"], message = sms.received[0]!) =>
      world.receipts.record({ reference: message.reference, status, providerId: null, providerCode: null }),
    deliveries: Effect.map(world.verifications.status(live, { requestId: id }), ({ deliveries, status }) => [
      status,
      ...deliveries.map((one) => `${one.attemptNumber} ${one.channel} ${one.status}`)
    ])
  }
})

describe("the fallback channel", () => {
  it.effect("sends the same code after the window without a delivery, and both messages work", () =>
    Effect.gen(function* () {
      const { deliveries, id, live, sent, sms, verifications, whatsapp } = yield* fallingBack()
      yield* TestClock.adjust("58 seconds")
      assert.deepStrictEqual(sent(), [[0], []])
      yield* TestClock.adjust("20 minutes")
      assert.deepStrictEqual(sent(), [[0], [60]])
      assert.strictEqual(whatsapp[0]!.code, sms[0]!.code)
      assert.deepStrictEqual(yield* deliveries, ["PENDING", "1 SMS SENT", "2 WHATSAPP SENT"])
      assert.strictEqual((yield* verifications.status(live, { requestId: id })).resends, 0)
    })
  )

  it.effect("sends it immediately when the first one fails, and never again", () =>
    Effect.gen(function* () {
      const { codeOf, deliveries, id, live, sent, verifications } = yield* fallingBack({ sms: [refused("SMS")] })
      assert.deepStrictEqual(sent(), [[0], [0]])
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(
        [sent(), yield* deliveries],
        [
          [[0], [0]],
          ["PENDING", "1 SMS FAILED", "2 WHATSAPP SENT"]
        ]
      )
      const code = codeOf(yield* verifications.status(live, { requestId: id }))
      assert.strictEqual(answer(yield* verifications.verify(live, { requestId: id, otp: code })), "right")
    })
  )

  it.effect("sends it when a receipt reports the failure", () =>
    Effect.gen(function* () {
      const { deliveries, report, sent } = yield* fallingBack()
      yield* report("FAILED")
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(
        [sent(), yield* deliveries],
        [
          [[0], [1]],
          ["PENDING", "1 SMS FAILED", "2 WHATSAPP SENT"]
        ]
      )
    })
  )

  it.effect.each([
    ["when the message was delivered", { receipt: "DELIVERED" }],
    ["when the message was read", { receipt: "READ" }],
    ["when nothing more can be known of a message that was taken", { reports: false }],
    ["when it is the channel itself", { settings: { fallbackChannel: "SMS" } }],
    ["when it cannot carry the identity", { settings: { fallbackChannel: "EMAIL" } }],
    ["when none is set", { settings: { fallbackChannel: null } }],
    ["when the code is over by then", { settings: { codeExpirySeconds: 30 } }]
  ] as const)("sends nothing %s", ([_when, options]) =>
    Effect.gen(function* () {
      const { report, sent } = yield* fallingBack(
        {},
        "settings" in options ? options.settings : {},
        !("reports" in options)
      )
      if ("receipt" in options) yield* report(options.receipt)
      yield* TestClock.adjust("4 minutes")
      assert.deepStrictEqual(sent(), [[0], []])
    })
  )

  it.effect("sends nothing once the person is verified, not even if the first one fails then", () =>
    Effect.gen(function* () {
      const { codeOf, deliveries, id, live, report, sent, verifications } = yield* fallingBack()
      const code = codeOf(yield* verifications.status(live, { requestId: id }))
      yield* verifications.verify(live, { requestId: id, otp: code })
      yield* report("FAILED")
      yield* TestClock.adjust("4 minutes")
      assert.deepStrictEqual(
        [sent(), yield* deliveries],
        [
          [[0], []],
          ["VERIFIED", "1 SMS FAILED"]
        ]
      )
    })
  )

  it.effect("gets a new window with a resend, and is used once in all", () =>
    Effect.gen(function* () {
      const { initiate, sent } = yield* fallingBack()
      yield* TestClock.adjust("39 seconds")
      yield* initiate()
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual(sent(), [[0, 40], []])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(sent(), [[0, 40], [100]])
      yield* initiate()
      yield* TestClock.adjust("3 minutes")
      assert.deepStrictEqual(sent(), [[0, 40, 100], [100]])
    })
  )

  it.effect("sends nothing more after the person requested that channel", () =>
    Effect.gen(function* () {
      const { initiate, sent } = yield* fallingBack()
      yield* initiate({ channel: "WHATSAPP" })
      yield* TestClock.adjust("4 minutes")
      assert.deepStrictEqual(sent(), [[0], [1]])
    })
  )

  it.effect("that fails too FAILS the verification, with one event", () =>
    Effect.gen(function* () {
      const { deliveries, events, id, live, verifications } = yield* fallingBack({
        sms: [refused("SMS")],
        whatsapp: [unavailable("WHATSAPP"), refused("WHATSAPP")]
      })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* deliveries, ["FAILED", "1 SMS FAILED", "2 WHATSAPP FAILED"])
      assert.deepStrictEqual(
        (yield* events(live)).map(({ data, type }) => [
          type,
          "deliveries" in data ? data.deliveries.length : undefined
        ]),
        [
          ["otp.initiated", undefined],
          ["delivery.failed", 2]
        ]
      )
      const { _tag } = yield* Effect.flip(verifications.verify(live, { requestId: id, otp: "000000" }))
      assert.strictEqual(_tag, "VerificationExpired")
    })
  )

  it.effect("is used by another process after this one stopped", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const world = yield* makeWorld({ storage, idle: true })
      const live = withSettings(world.live, { fallbackChannel: "WHATSAPP" })
      yield* world.verifications.initiate(live, otp(indian))
      const sms = recordingChannel("SMS")
      const whatsapp = recordingChannel("WHATSAPP")
      yield* makeProcess(storage, { channels: [sms.channel, whatsapp.channel] })
      yield* TestClock.adjust("2 minutes")
      const times = [sms, whatsapp].map(({ received }) => received.map(({ at }) => (at - start) / 1000))
      assert.deepStrictEqual([times[0]!.length, times[1]], [1, [60]])
    })
  )

  it.effect("works in a test environment as in live", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const test = withSettings(world.test, { fallbackChannel: "WHATSAPP" })
      const seen = Effect.fnUntraced(function* (identity: string) {
        const { id } = (yield* world.verifications.initiate(test, otp(identity))).verification
        yield* TestClock.adjust("90 seconds")
        const { deliveries, status } = yield* world.verifications.status(test, { requestId: id })
        return [status, ...deliveries.map((one) => `${one.channel} ${one.status}`)]
      })
      assert.deepStrictEqual(yield* seen("9876543210"), ["PENDING", "SMS DELIVERED"])
      assert.deepStrictEqual(yield* seen("9876540000"), ["FAILED", "SMS FAILED", "WHATSAPP FAILED"])
      assert.deepStrictEqual(yield* seen("9876540001"), ["PENDING", "SMS SENT", "WHATSAPP SENT"])
    })
  )
})

describe("fallback receipts", () => {
  it.effect("that are late, repeated, out of order or unknown change nothing", () =>
    Effect.gen(function* () {
      const { deliveries, receipts, report, sms } = yield* fallingBack({}, { fallbackChannel: null })
      const seen: Array<unknown> = []
      for (const status of ["READ", "DELIVERED", "SENT", "FAILED", "READ"] as const) {
        yield* report(status)
        seen.push((yield* deliveries)[1])
      }
      assert.deepStrictEqual(seen, Array<string>(5).fill("1 SMS READ"))
      const { reference } = sms[0]!
      const [environment, verification, delivery] = reference.split(".") as [string, string, string]
      const foreign = [
        "",
        "x",
        `${reference}.x`,
        reference.toUpperCase(),
        `live_other.${verification}.${delivery}`,
        `${environment}.ver_${"0".repeat(26)}.${delivery}`,
        `${environment}.${verification}.dlv_${"0".repeat(26)}`,
        "a".repeat(1_048_576)
      ]
      for (const reference of foreign) {
        yield* receipts.record({ reference, status: "FAILED", providerId: null, providerCode: null })
      }
      assert.deepStrictEqual(yield* deliveries, ["PENDING", "1 SMS READ"])
    })
  )

  it.effect("may arrive before the send returns", () =>
    Effect.gen(function* () {
      const slow = Effect.delay(accepted, "5 seconds")
      const { deliveries, report } = yield* fallingBack({ sms: [slow] }, { fallbackChannel: null })
      yield* report("DELIVERED")
      assert.deepStrictEqual(yield* deliveries, ["PENDING", "1 SMS DELIVERED"])
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* deliveries, ["PENDING", "1 SMS DELIVERED"])
    })
  )
})

describe("a provider that keeps failing", () => {
  it.effect("has its circuit opened, and initiate fails when no other channel can carry the code", () =>
    Effect.gen(function* () {
      const { initiate, live, sms, ...world } = yield* fallingBack(
        { sms: [unavailable("SMS")] },
        { fallbackChannel: null }
      )
      const other = (identity: string) => world.verifications.initiate(live, otp(identity))
      for (let i = 0; i < 4; i++) yield* other(`987654320${i}`)
      yield* TestClock.adjust("1 millis")
      const tried = sms.length
      const refusal = yield* Effect.flip(other("9876543300"))
      assert.strictEqual(refusal._tag, "ProviderUnavailable")
      assert.strictEqual((yield* Effect.flip(initiate()))._tag, "ProviderUnavailable")
      assert.strictEqual(sms.length, tried)
      assert.strictEqual((yield* world.events(live)).length, 5)
      const fallback = withSettings(live, { fallbackChannel: "WHATSAPP" })
      const { verification } = yield* world.verifications.initiate(fallback, otp("9876543300"))
      yield* TestClock.adjust("1 second")
      const { deliveries } = yield* world.verifications.status(live, { requestId: verification.id })
      assert.deepStrictEqual(
        deliveries.map(({ channel, status }) => `${channel} ${status}`),
        ["SMS FAILED", "WHATSAPP SENT"]
      )
    })
  )
})
