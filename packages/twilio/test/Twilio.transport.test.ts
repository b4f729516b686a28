import { TwilioSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { answer, answering } from "./fixtures/answering.ts"
import {
  accountSid,
  authToken,
  channel,
  code,
  message,
  plain,
  rcsSender,
  reasonOf,
  taken,
  to,
  world
} from "./fixtures/world.ts"

/** A name that is too long causes no DNS query. */
const nowhere = `http://${"a".repeat(64)}.invalid`

describe("a send through Twilio", () => {
  // Shorter than the client's own timeout, so that only the interruption can end the send.
  const waits = "waits for a provider that says nothing, asks it once, and hangs up when it is interrupted"
  const inTime = 10_000
  it.effect(
    waits,
    () =>
      Effect.gen(function* () {
        let gone = () => {}
        const hungUp = new Promise<void>((resolve) => {
          gone = resolve
        })
        let read = () => {}
        const asked = new Promise<void>((resolve) => {
          read = resolve
        })
        const server = yield* answering((response) => {
          response.on("close", () => gone())
          read()
        })
        const sending = yield* Effect.forkChild((yield* channel(server.url)).send(message()))
        yield* Effect.promise(() => asked)
        assert.isUndefined(sending.pollUnsafe())
        yield* Fiber.interrupt(sending)
        yield* Effect.promise(() => hungUp)
        const exit = yield* Fiber.await(sending)
        assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
        assert.strictEqual(yield* server.asked, 1)
      }),
    inTime
  )

  it.effect("that hangs is not repeated, and does not delay others", () =>
    Effect.gen(function* () {
      const { channel: sms, twilio } = yield* world()
      yield* twilio.play("hanging")
      const sending = yield* Effect.forkChild(sms.send(message()))
      yield* twilio.asked(1)
      yield* twilio.play("accepted")
      const others = yield* Effect.forEach(Array.from({ length: 120 }), () => sms.send(message()), {
        concurrency: "unbounded"
      })
      assert.isUndefined(sending.pollUnsafe())
      assert.strictEqual(new Set(others.map(({ providerId }) => providerId)).size, 120)
      assert.lengthOf(yield* twilio.seen, 121)
      yield* Fiber.interrupt(sending)
    })
  )

  it.effect("distinguishes a lost answer from a request that was never sent", () =>
    Effect.gen(function* () {
      const { channel: sms, twilio } = yield* world()
      yield* twilio.play("reset")
      assert.deepStrictEqual(plain(yield* reasonOf(sms.send(message()))), {
        _tag: "OutcomeUnknown",
        providerCode: "ECONNRESET"
      })
      yield* twilio.play("acceptThenDrop")
      assert.deepStrictEqual(plain(yield* reasonOf(sms.send(message()))), {
        _tag: "OutcomeUnknown",
        providerCode: "ECONNRESET"
      })
      assert.lengthOf(yield* twilio.ledger, 1)
      assert.lengthOf(yield* twilio.seen, 2)

      const stopped = yield* Effect.scoped(TwilioSimulator.make())
      const unreached = yield* channel(stopped.url)
      assert.deepStrictEqual(plain(yield* reasonOf(unreached.send(message()))), {
        _tag: "Unavailable",
        providerCode: "ECONNREFUSED"
      })

      const reason = yield* reasonOf((yield* channel(nowhere)).send(message()))
      assert.strictEqual(reason._tag, "Unavailable")
      assert.match(reason.providerCode, /^(ENOTFOUND|EAI_AGAIN)$/)

      // The system's error code varies, but a connection to the broadcast address is never opened.
      const broadcast = yield* channel("http://255.255.255.255")
      assert.strictEqual((yield* reasonOf(broadcast.send(message())))._tag, "Unavailable")
    })
  )

  it.effect("that times out leaves the outcome unknown", () =>
    Effect.gen(function* () {
      const { channel: sms, twilio } = yield* world()
      yield* twilio.play("hanging")
      const sending = yield* Effect.forkChild(sms.send(message()))
      yield* twilio.asked(1)
      yield* TestClock.adjust(14_999)
      assert.isUndefined(sending.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(plain(yield* reasonOf(Fiber.join(sending))), {
        _tag: "OutcomeUnknown",
        providerCode: "timeout"
      })
      assert.lengthOf(yield* twilio.seen, 1)
    })
  )

  it.effect("that is slow, broken, rate-limited or garbled reports it", () =>
    Effect.gen(function* () {
      const { channel: sms, twilio } = yield* world()
      yield* twilio.play("slow")
      assert.deepStrictEqual(yield* sms.send(message()), taken)
      const plays: ReadonlyArray<readonly [Parameters<typeof twilio.play>[0], object]> = [
        ["refused", { _tag: "Refused", providerCode: "21211", because: "recipient" }],
        ["overloaded", { _tag: "Unavailable", providerCode: "20429", retryAfterSeconds: 3, because: "limit" }],
        ["unavailable", { _tag: "Unavailable", providerCode: "http_503" }],
        ["broken", { _tag: "OutcomeUnknown", providerCode: "http_500" }],
        ["garbled", { _tag: "OutcomeUnknown", providerCode: "unreadable" }]
      ]
      for (const [play, expected] of plays) {
        yield* twilio.play(play)
        assert.deepStrictEqual(plain(yield* reasonOf(sms.send(message()))), expected)
      }
      assert.lengthOf(yield* twilio.seen, 1 + plays.length)
    })
  )

  it.effect("transmits hostile text unchanged, and replaces only what UTF-8 cannot represent", () =>
    Effect.gen(function* () {
      const { channel: sms, twilio } = yield* world()
      const texts = [
        "a\r\nX-Smuggled: 1\r\n\r\nb",
        "👩‍👩‍👧‍👦 &To=+15005550001&a[]=1;b=2",
        "__proto__ constructor %00 %zz \u0000",
        "é".repeat(1_600)
      ]
      for (const text of texts) yield* sms.send(message({ text }))
      yield* sms.send(message({ text: "\ud800lone" }))
      assert.deepStrictEqual(
        (yield* twilio.ledger).map(({ body }) => body),
        [...texts, "\ufffdlone"]
      )
      for (const { parameters } of yield* twilio.ledger) {
        assert.deepStrictEqual(
          parameters.map(([name]) => name),
          ["To", "StatusCallback", "ValidityPeriod", "From", "Body"]
        )
      }
      assert.isTrue((yield* twilio.seen).every(({ raw, to: seen }) => seen === to && !/^x-smuggled/im.test(raw)))

      const reason = yield* reasonOf(sms.send(message({ text: "a".repeat(1_601) })))
      assert.deepStrictEqual(plain(reason), { _tag: "Refused", providerCode: "21617", because: "account" })
      assert.strictEqual((yield* reasonOf(sms.send(message({ to: "+1&Body=x" })))).providerCode, "21211")
    })
  )
})

describe("an error from Twilio", () => {
  it.effect("contains neither code, credentials nor number in any printed form", () =>
    Effect.gen(function* () {
      const basic = Buffer.from(`${accountSid}:${authToken}`).toString("base64")
      const echo = JSON.stringify({ code: 21211, message: `${code} ${to} ${authToken}`, details: { code, to } })
      const server = yield* answering(
        answer(400, echo),
        answer(429, echo),
        answer(201, `<html>${code} ${to}`),
        (response) => response.destroy()
      )
      const stopped = yield* Effect.scoped(TwilioSimulator.make())
      const channels = [server.url, server.url, server.url, server.url, stopped.url, nowhere]
      for (const [n, url] of channels.entries()) {
        const sms = yield* n % 2 === 0 ? channel(url) : channel(url, { rcsSender })
        const exit = yield* Effect.exit(sms.send(message()))
        assert.isTrue(Exit.isFailure(exit))
        if (!Exit.isFailure(exit)) continue
        const error = exit.cause.reasons[0]
        const shown = [
          JSON.stringify(exit),
          inspect(exit, { depth: 20, showHidden: true }),
          inspect(error, { depth: 20, showHidden: true, getters: true }),
          Cause.pretty(exit.cause),
          String(Cause.squash(exit.cause))
        ].join("\n")
        for (const secret of [code, authToken, basic, to, to.slice(1)]) assert.notInclude(shown, secret)
      }
    })
  )

  it.effect("leaves no message in the channel's memory", () =>
    Effect.gen(function* () {
      const { channel: sms } = yield* world()
      assert.deepStrictEqual(yield* sms.send(message()), taken)
      const shown = inspect(sms, { depth: 20, showHidden: true })
      for (const secret of [code, authToken]) assert.notInclude(shown, secret)
    })
  )
})
