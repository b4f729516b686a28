import { TwilioSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { service } from "./fixtures/service.ts"
import {
  callbackOf,
  channel,
  message,
  messagingServiceSid,
  publicUrl,
  rcsSender,
  reference,
  sid,
  simulator,
  taken
} from "./fixtures/world.ts"

const { scripts } = TwilioSimulator

/** A simulator, a channel, and the service that receives the receipts. */
const loop = Effect.fnUntraced(function* (
  simulated: TwilioSimulator.Options = {},
  options: Parameters<typeof channel>[1] = {},
  statuses: ReadonlyArray<number> = []
) {
  const callback = callbackOf(yield* channel("http://127.0.0.1:1"))
  const ours = yield* service(publicUrl, callback, statuses)
  const twilio = yield* simulator({ forwardTo: ours.url, ...simulated })
  return { twilio, ours, channel: yield* channel(twilio.url, options) }
})

const receipt = (status: string, providerCode: string | null = null) => ({
  reference,
  status,
  providerId: sid,
  providerCode,
  ...(providerCode === null ? {} : { because: "recipient" })
})

describe("Twilio's receipts over real sockets", () => {
  it.effect("arrive signed, in the order of the script", () =>
    Effect.gen(function* () {
      const expected: ReadonlyArray<readonly [keyof typeof scripts, ReadonlyArray<object>]> = [
        ["delivered", [receipt("SENT"), receipt("DELIVERED")]],
        ["read", [receipt("SENT"), receipt("DELIVERED"), receipt("READ")]],
        ["sentOnly", [receipt("SENT")]],
        ["undelivered", [receipt("SENT"), receipt("FAILED", "30006")]],
        ["failed", [receipt("FAILED", "30003")]],
        ["reversed", [receipt("DELIVERED"), receipt("SENT")]],
        ["twice", [receipt("SENT"), receipt("SENT"), receipt("DELIVERED"), receipt("DELIVERED")]],
        ["early", [receipt("SENT"), receipt("DELIVERED")]],
        ["silent", []]
      ]
      for (const [name, receipts] of expected) {
        const { channel: sms, ours, twilio } = yield* loop({ receipts: scripts[name] })
        yield* sms.send(message())
        yield* twilio.settled
        assert.deepEqual<ReadonlyArray<object>>(yield* ours.receipts, receipts, name)
        assert.isTrue((yield* twilio.reports).every(({ answers }) => answers.join() === "200"))
      }
      assert.lengthOf(Object.keys(scripts), expected.length)
    })
  )

  it.effect("arrive for RCS and through a Messaging Service as well", () =>
    Effect.gen(function* () {
      for (const options of [{ rcsSender }, { messagingServiceSid }]) {
        const { channel: either, ours, twilio } = yield* loop({ receipts: scripts.read }, options)
        yield* either.send(message())
        yield* twilio.settled
        assert.deepEqual<ReadonlyArray<object>>(yield* ours.receipts, [
          receipt("SENT"),
          receipt("DELIVERED"),
          receipt("READ")
        ])
      }
    })
  )

  it.effect("may arrive before the answer to the send", () =>
    Effect.gen(function* () {
      const {
        channel: sms,
        ours,
        twilio
      } = yield* loop({
        receipts: [
          { status: "delivered", early: true },
          { status: "sent", early: true, after: "1 second" }
        ]
      })
      const sending = yield* Effect.forkChild(sms.send(message()))
      yield* twilio.received(1)
      while ((yield* twilio.reports).length === 0) yield* Effect.yieldNow
      assert.isUndefined(sending.pollUnsafe())
      assert.deepEqual<ReadonlyArray<object>>(yield* ours.receipts, [receipt("DELIVERED")])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(sending), taken)
    })
  )

  it.effect("arrive late if scripted", () =>
    Effect.gen(function* () {
      const { channel: sms, ours, twilio } = yield* loop({ receipts: [{ status: "delivered", after: "1 hour" }] })
      yield* sms.send(message())
      const settling = yield* Effect.forkChild(twilio.settled)
      yield* TestClock.adjust("59 minutes")
      assert.deepStrictEqual(yield* ours.receipts, [])
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(settling)
      assert.deepEqual<ReadonlyArray<object>>(yield* ours.receipts, [receipt("DELIVERED")])
    })
  )

  it.effect("report a send whose answer was lost", () =>
    Effect.gen(function* () {
      const { channel: sms, ours, twilio } = yield* loop({ receipts: scripts.delivered })
      for (const play of ["acceptThenDrop", "garbled"] as const) {
        yield* twilio.play(play)
        assert.strictEqual((yield* Effect.flip(sms.send(message()))).reason._tag, "OutcomeUnknown")
      }
      yield* twilio.settled
      assert.deepStrictEqual(
        (yield* ours.receipts).map((each) => [each.reference, each.status]),
        [
          [reference, "SENT"],
          [reference, "DELIVERED"],
          [reference, "SENT"],
          [reference, "DELIVERED"]
        ]
      )
    })
  )

  it.effect("can be triggered by hand, and are repeated until the service accepts them", () =>
    Effect.gen(function* () {
      const { channel: sms, ours, twilio } = yield* loop({ receipts: scripts.silent }, {}, [500, 0, 404, 503])
      yield* sms.send(message())
      const report = yield* twilio.deliver(sid, "undelivered", 30003)
      assert.deepStrictEqual([...report.answers], [500, null, 404, 503, 200])
      assert.deepEqual<ReadonlyArray<object>>(yield* ours.receipts, [receipt("FAILED", "30003")])
      assert.deepStrictEqual([...(yield* twilio.deliver(sid, "delivered")).answers], [200])
    })
  )

  it.effect("are lost without the retries that the channel requests", () =>
    Effect.gen(function* () {
      const callback = callbackOf(yield* channel("http://127.0.0.1:1"))
      const ours = yield* service(publicUrl, callback, [500, 500])
      const twilio = yield* simulator({ forwardTo: ours.url })
      const body = new URLSearchParams({
        To: "+919812345678",
        From: "+15005550006",
        Body: "x",
        StatusCallback: `${publicUrl}/cb?ref=a`
      })
      const login = Buffer.from(`${twilio.accountSid}:${twilio.authToken}`).toString("base64")
      yield* Effect.promise(() =>
        fetch(`${twilio.url}/2010-04-01/Accounts/${twilio.accountSid}/Messages.json`, {
          method: "POST",
          headers: { authorization: `Basic ${login}` },
          body
        }).then((response) => response.text())
      )
      assert.deepStrictEqual([...(yield* twilio.deliver(sid, "sent")).answers], [500])
      assert.strictEqual(yield* ours.asked, 1)
    })
  )

  it.effect("stay on this machine", () =>
    Effect.gen(function* () {
      const twilio = yield* simulator({ receipts: scripts.delivered })
      yield* (yield* channel(twilio.url)).send(message())
      yield* twilio.settled
      assert.deepStrictEqual(
        (yield* twilio.reports).map(({ answers }) => [...answers]),
        [[null], [null], [null]]
      )
      assert.isTrue(
        (yield* twilio.reports).every(({ url }) => url?.startsWith(`${publicUrl}/`) === true && !url.includes("#"))
      )
    })
  )
})
