import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { ChannelError, Refused } from "../../src/index.channel.ts"
import { type Answer, recordingChannel, refused, unavailable, unknownOutcome } from "../fixtures/RecordingChannel.ts"
import { indian, makeWorld, otp, withSettings } from "../fixtures/World.ts"

/** Every logged line, as an operator sees it. */
const listening = () => {
  const lines: Array<{ readonly level: string; readonly message: unknown; readonly annotations: object }> = []
  const logger = Logger.make((options) => {
    const { annotations, level, message } = Logger.formatStructured.log(options)
    lines.push({ level, message, annotations })
  })
  return { lines, layer: Logger.layer([logger]) }
}

const deliveryFailed = (
  answers: ReadonlyArray<Answer>,
  then: (report: (code: string) => Effect.Effect<void, unknown>) => Effect.Effect<void, unknown>,
  fallback = false
) => {
  const { layer, lines } = listening()
  return Effect.gen(function* () {
    const sms = recordingChannel("SMS", answers)
    const whatsapp = recordingChannel("WHATSAPP", [refused("WHATSAPP")])
    const world = yield* makeWorld({ channels: [sms.channel, whatsapp.channel] })
    const live = withSettings(world.live, { fallbackChannel: fallback ? "WHATSAPP" : null })
    const { id } = (yield* world.verifications.initiate(live, otp(indian))).verification
    yield* TestClock.adjust("1 second")
    yield* then((providerCode) =>
      world.receipts.record({ reference: sms.received[0]!.reference, status: "FAILED", providerId: null, providerCode })
    )
    yield* TestClock.adjust("6 minutes")
    const events = yield* world.events(live)
    const warnings = lines.filter(({ level }) => level === "WARN")
    const text = JSON.stringify(warnings)
    assert.notInclude(text, sms.received[0]?.code ?? "no code")
    assert.notInclude(text, "9876543210")
    return { id, warnings, failed: events.filter(({ type }) => type === "delivery.failed") }
  }).pipe(Effect.provide(layer))
}

const line = (requestId: string, channel: string, providerCode: string, message = "A message was not delivered") => ({
  level: "WARN",
  message,
  annotations: { channel, provider: `recording ${channel}`, providerCode, requestId }
})

describe("a failed message", () => {
  it.effect("logs one warning for the provider's refusal, and the event says why", () =>
    Effect.gen(function* () {
      const { failed, id, warnings } = yield* deliveryFailed([refused("SMS")], () => Effect.void, true)
      assert.sameDeepMembers(warnings, [line(id, "SMS", "blocked"), line(id, "WHATSAPP", "blocked")])
      assert.deepStrictEqual(
        failed.map(({ data }) =>
          "deliveries" in data ? data.deliveries.map(({ providerCode }) => providerCode) : null
        ),
        [["blocked", "blocked"]]
      )
    })
  )

  it.effect("logs one warning for its receipt, however often the receipt arrives", () =>
    Effect.gen(function* () {
      const { id, warnings } = yield* deliveryFailed([Effect.succeed({ providerId: "m1" })], (report) =>
        Effect.andThen(report("30006"), report("30006"))
      )
      assert.deepStrictEqual(warnings, [line(id, "SMS", "30006")])
    })
  )

  it.effect("logs one warning with the last reason when its time ran out", () =>
    Effect.gen(function* () {
      const { id, warnings } = yield* deliveryFailed([unavailable("SMS")], () => Effect.void)
      assert.deepStrictEqual(warnings, [line(id, "SMS", "busy")])
    })
  )

  it.effect("logs one warning when the provider's rate limit left it no turn in time", () => {
    const { layer, lines } = listening()
    return Effect.gen(function* () {
      const { channel } = recordingChannel("SMS")
      const world = yield* makeWorld({ channels: [{ ...channel, limits: { perSecond: 0.001 } }] })
      yield* world.verifications.initiate(world.live, otp(indian))
      const { id } = (yield* world.verifications.initiate(world.live, otp("+919876500002"))).verification
      yield* TestClock.adjust("6 minutes")
      const warnings = lines.filter(({ level }) => level === "WARN")
      assert.deepStrictEqual(warnings, [line(id, "SMS", "not_sent_in_time")])
    }).pipe(Effect.provide(layer))
  })

  it.effect("logs one warning when its outcome stayed unknown and it is given up", () =>
    Effect.gen(function* () {
      const { failed, id, warnings } = yield* deliveryFailed([unknownOutcome("SMS")], () => Effect.void)
      assert.deepStrictEqual(warnings, [
        line(id, "SMS", "garbled", "A message failed because its provider reported no outcome")
      ])
      assert.isEmpty(failed)
    })
  )

  it.effect("is stored without the number that its provider repeated", () =>
    Effect.gen(function* () {
      const providerCode = "+91 98765 43210 is blocked"
      const answer = Effect.fail(new ChannelError({ channel: "SMS", reason: new Refused({ providerCode }) }))
      const { failed, id, warnings } = yield* deliveryFailed([answer], () => Effect.void)
      assert.deepStrictEqual(warnings, [line(id, "SMS", "unspecified")])
      assert.include(JSON.stringify(failed), `"providerCode":"unspecified"`)
    })
  )
})
