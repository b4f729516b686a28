import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { OptOuts, Receipts } from "../../src/index.ts"
import { type Channel, ChannelError, Refused } from "../../src/index.channel.ts"
import { makeWorld } from "../fixtures/World.ts"

const phone = "+919876543210"
const request = { identity: phone, identityType: "MOBILE", mode: "OTP", channel: "SMS" } as const

const channelThat = (send: Channel["send"]): Channel => ({
  name: "SMS",
  provider: "of-a-stranger",
  supports: { identityTypes: ["MOBILE"], receipts: true },
  send
})

const refusing = (because: Refused["because"]) =>
  Effect.fail(
    new ChannelError({ channel: "SMS", reason: new Refused({ providerCode: "x1", ...(because && { because }) }) })
  )

const worldOf = (send: Channel["send"]) => makeWorld({ channels: [channelThat(send)] })

describe("an opt-out that a provider reports for a code", () => {
  it.effect("in its answer excludes the person from campaigns, with any code of the provider", () =>
    Effect.gen(function* () {
      const world = yield* worldOf(() => refusing("opted_out"))
      yield* world.verifications.initiate(world.live, request)
      yield* TestClock.adjust("1 second")
      const { of } = Context.get(world.services, OptOuts)
      assert.deepInclude(yield* of(world.live.environment, phone), { isOut: true, by: "PROVIDER" })
    })
  )

  it.effect("in a receipt excludes the person too", () =>
    Effect.gen(function* () {
      let reference = ""
      const world = yield* worldOf((message) =>
        Effect.sync(() => {
          reference = message.reference
          return { providerId: null }
        })
      )
      yield* world.verifications.initiate(world.live, request)
      yield* TestClock.adjust("1 second")
      const { record } = Context.get(world.services, Receipts)
      yield* record({ reference, status: "FAILED", providerId: null, providerCode: "x1", because: "opted_out" })
      const { of } = Context.get(world.services, OptOuts)
      assert.deepInclude(yield* of(world.live.environment, phone), { isOut: true, by: "PROVIDER" })
    })
  )

  it.effect("in a repeated receipt after START changes nothing, and one of a later message does", () =>
    Effect.gen(function* () {
      const references: Array<string> = []
      const world = yield* worldOf((message) =>
        Effect.sync(() => {
          references.push(message.reference)
          return { providerId: null }
        })
      )
      const { environment } = world.live
      const { record } = Context.get(world.services, Receipts)
      const { heard, of } = Context.get(world.services, OptOuts)
      const send = Effect.andThen(world.verifications.initiate(world.live, request), TestClock.adjust("1 second"))
      const refuse = (n: number) =>
        record({
          reference: references[n]!,
          status: "FAILED",
          providerId: null,
          providerCode: "x1",
          because: "opted_out"
        })
      yield* send
      yield* refuse(0)
      assert.deepInclude(yield* of(environment, phone), { isOut: true, by: "PROVIDER" })
      yield* TestClock.adjust("1 minute")
      const at = yield* Clock.currentTimeMillis
      yield* heard(environment, [{ phone, isOut: false, by: "MESSAGE", at }])
      yield* TestClock.adjust("1 minute")
      yield* refuse(0)
      assert.deepInclude(yield* of(environment, phone), { isOut: false, by: "MESSAGE" })
      yield* send
      yield* refuse(1)
      assert.deepInclude(yield* of(environment, phone), { isOut: true, by: "PROVIDER" })
    })
  )

  it.effect("is not recorded for other refusals, and codes continue after one", () =>
    Effect.gen(function* () {
      let because: Refused["because"] = "recipient"
      let sends = 0
      const world = yield* worldOf(() => {
        sends++
        return refusing(because)
      })
      yield* world.verifications.initiate(world.live, request)
      yield* TestClock.adjust("1 second")
      const { of } = Context.get(world.services, OptOuts)
      assert.isNull(yield* of(world.live.environment, phone))
      because = "opted_out"
      for (let n = 0; n < 2; n++) {
        yield* world.verifications.initiate(world.live, request)
        yield* TestClock.adjust("1 second")
      }
      assert.strictEqual(sends, 3)
    })
  )
})
