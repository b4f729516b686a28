import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { ChannelStates } from "../../src/index.ts"
import { recordingChannel, refused, unavailable } from "../fixtures/RecordingChannel.ts"
import { indian, makeWorld, otp, start, until, withSettings } from "../fixtures/World.ts"

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `+9198765432${String(i).padStart(2, "0")}`)

describe("the states of an environment's channels", () => {
  it.effect("show role, last send and last failure of each, and which are disabled", () =>
    Effect.gen(function* () {
      const sms = recordingChannel("SMS", [refused("SMS")])
      const whatsapp = recordingChannel("WHATSAPP")
      const { live, services, test, verifications } = yield* makeWorld({ channels: [sms.channel, whatsapp.channel] })
      const states = Context.get(services, ChannelStates)
      const caller = withSettings(live, { primaryChannel: "SMS", fallbackChannel: "WHATSAPP" })
      const nothing = {
        breaker: { state: "CLOSED", until: null },
        perSecond: null,
        waiting: 0,
        oldestWaitingAt: null,
        lastSentAt: null,
        lastFailure: null,
        lastReceiptAt: null
      } as const
      const carriedBy = (carrier: string) => ({
        provider: carrier,
        carriers: [{ carrier, breaker: nothing.breaker, perSecond: null, prefixes: [] }]
      })
      const absent = { provider: null, role: null, carriers: [] }
      yield* TestClock.adjust("1 minute")
      yield* verifications.initiate(caller, otp(indian))
      yield* until(Effect.sync(() => whatsapp.received.length === 1))
      const at = start + 60_000
      assert.deepStrictEqual(yield* states.list(caller), [
        {
          ...nothing,
          channel: "SMS",
          label: "SMS",
          ...carriedBy("recording SMS"),
          role: "PRIMARY",
          lastFailure: { at, providerCode: "blocked" }
        },
        {
          ...nothing,
          channel: "WHATSAPP",
          label: "WhatsApp",
          ...carriedBy("recording WHATSAPP"),
          role: "FALLBACK",
          lastSentAt: at
        },
        { ...nothing, channel: "RCS", label: "RCS", ...absent },
        { ...nothing, channel: "EMAIL", label: "E-mail", ...absent }
      ])
      // The other environment of the same merchant has sent nothing, and needs no provider.
      for (const { provider, lastFailure, lastSentAt } of yield* states.list(test))
        assert.deepStrictEqual([provider === null, lastFailure, lastSentAt], [false, null, null])
    })
  )

  it.effect("show an open circuit with its end, then its trial, and the caller's own waiting messages", () =>
    Effect.gen(function* () {
      const sms = recordingChannel("SMS", [unavailable("SMS")])
      const { live, merchants, services, verifications } = yield* makeWorld({ channels: [sms.channel] })
      const states = Context.get(services, ChannelStates)
      const keys = yield* Effect.orDie(merchants.create("Other"))
      const other = yield* Effect.orDie(merchants.authenticate(keys.live.clientId, keys.live.clientSecret))
      const smsOf = (caller: typeof live) => Effect.orDie(Effect.map(states.list(caller), ([first]) => first!))
      yield* Effect.forEach(numbers(5), (identity) => verifications.initiate(live, otp(identity)), { concurrency: 5 })
      yield* until(Effect.map(smsOf(live), ({ breaker }) => breaker.state === "OPEN"))
      const open = yield* smsOf(live)
      assert.deepStrictEqual(open.breaker, { state: "OPEN", until: start + 10_000 })
      assert.deepStrictEqual(open.lastFailure, { at: start, providerCode: "busy" })
      yield* TestClock.setTime(start + 9_999)
      const [mine, theirs] = [yield* smsOf(live), yield* smsOf(other)]
      assert.isAbove(mine.waiting, 0)
      assert.isAtLeast(mine.oldestWaitingAt!, start)
      assert.deepStrictEqual([theirs.waiting, theirs.oldestWaitingAt, theirs.lastFailure], [0, null, null])
      assert.deepStrictEqual(theirs.breaker, mine.breaker)
    })
  )

  it.effect("include the last results of a quiet channel beside a busy one", () =>
    Effect.gen(function* () {
      const [sms, mail] = [recordingChannel("SMS"), recordingChannel("EMAIL")]
      const { live, services, verifications } = yield* makeWorld({ channels: [sms.channel, mail.channel] })
      yield* verifications.initiate(live, otp("asha@example.com"))
      yield* until(Effect.sync(() => mail.received.length === 1))
      yield* TestClock.adjust("1 second")
      const many = numbers(100).flatMap((number) => [number, number.replace("+9198", "+9197")])
      yield* Effect.forEach(many, (identity) => verifications.initiate(live, otp(identity)), { concurrency: 10 })
      yield* until(Effect.sync(() => sms.received.length === 200))
      const [first, , , last] = yield* Context.get(services, ChannelStates).list(live)
      assert.deepStrictEqual([first?.lastSentAt, last?.lastSentAt], [start + 1_000, start])
    })
  )
})
