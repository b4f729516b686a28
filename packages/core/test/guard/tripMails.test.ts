import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Agents } from "../../src/index.ts"
import type { Channel, Message } from "../../src/index.channel.ts"
import { StaffStore, TripStore } from "../../src/index.storage.ts"
import { operator } from "../../src/foundation/outbox/AuditEntry.ts"
import { accepted, recordingChannel } from "../fixtures/RecordingChannel.ts"
import { makeWorld, otp, start, until, withSettings } from "../fixtures/World.ts"

const text = (message: Message) => ("text" in message ? Redacted.value(message.text) : "")
const subject = (message: Message) => ("subject" in message ? Redacted.value(message.subject) : "")

/** A merchant whose codes to a block of numbers are not entered, and the notices that the service mails. */
const makePumped = Effect.gen(function* () {
  const mails: Array<Message> = []
  const mail: Channel = {
    name: "EMAIL",
    provider: "mail",
    supports: { identityTypes: ["EMAIL"], receipts: false, kinds: ["Code", "Notice"] },
    send: (message) => Effect.sync(() => (mails.push(message), { providerId: null }))
  }
  const world = yield* makeWorld({ channels: [recordingChannel("SMS", [accepted]).channel, mail] })
  const agents = Context.get(world.services, Agents)
  const staff = Context.get(world.storage, StaffStore)
  const join = Effect.fnUntraced(function* (email: string, role: string, isProven = true) {
    const { id } = yield* agents.create({ ...world.live, actor: operator }, { email, role })
    if (!isProven) return
    const { agents: all } = yield* staff.staff(world.live.merchantId)
    const agent = all.find((one) => one.id === id)!
    yield* staff.commit(StaffStore.change({ agents: [{ ...agent, agreedAt: start }] }))
  })
  /** Requests codes for a block, a second apart, that nobody types. */
  const pump = Effect.fnUntraced(function* (block: string) {
    const caller = withSettings(world.live, { prices: { SMS: 40 } })
    for (let n = 0; n < 30; n++) {
      yield* TestClock.adjust("1 second")
      yield* world.verifications.initiate(caller, otp(`+${block}${String((n * 91) % 10_000).padStart(4, "0")}`))
    }
  })
  const pass = (minutes: number) =>
    Effect.repeat(Effect.andThen(TestClock.adjust("1 minute"), until(Effect.succeed(true))), { times: minutes - 1 })
  return { ...world, mails, join, pump, pass }
})

describe("mails about stopped places", () => {
  it.effect("go to proven owners and admins, once for each place and at most once an hour", () =>
    Effect.gen(function* () {
      const { join, live, mails, pass, pump, storage } = yield* makePumped
      yield* join("owner@shop.example", "OWNER")
      yield* join("admin@shop.example", "ADMIN")
      yield* join("agent@shop.example", "AGENT")
      // A merchant can enter any address.
      yield* join("stranger@shop.example", "ADMIN", false)
      yield* pump("99891234")
      yield* pass(2)
      assert.deepStrictEqual(mails.map(({ to }) => to).toSorted(), ["admin@shop.example", "owner@shop.example"])
      const words = text(mails[0]!)
      for (const part of [
        "+99891234****",
        "PREFIX_UNVERIFIED",
        "codes of the last day were not entered, about ₹",
        "still sent, because you do not enforce this reason",
        "https://verify.example.com/dashboard/protection"
      ])
        assert.include(words, part)
      assert.notInclude(words, "998912340091")
      assert.include(subject(mails[0]!), "look like fraud – Acme")
      yield* pump("99897777")
      yield* pass(55)
      assert.strictEqual(mails.length, 2)
      yield* pass(10)
      assert.strictEqual(mails.length, 4)
      assert.include(text(mails[3]!), "+99897777****")
      assert.notInclude(text(mails[3]!), "+99891234****")
      const stored = yield* Context.get(storage, TripStore).list(live.environment, 0)
      assert.isTrue(stored.every(({ mailedAt }) => mailedAt !== null))
    })
  )
})
