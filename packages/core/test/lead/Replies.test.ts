import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Redacted, Stream } from "effect"
import { TestClock } from "effect/testing"
import { LeadStore, type Storage, StoreError } from "../../src/index.storage.ts"
import type * as Channel from "../../src/index.channel.ts"
import { type InboxWorld, inboxChannel, makeInbox, ownNumber, wrote } from "../fixtures/InboxWorld.ts"
import { accepted, refused, unavailable, unknownOutcome } from "../fixtures/RecordingChannel.ts"
import { makeStorage, start, until } from "../fixtures/World.ts"

const phone = "919876543210"

/** A world with one customer message. */
const written = Effect.fnUntraced(function* (options: Parameters<typeof makeInbox>[0] = {}, at = start) {
  const world = yield* makeInbox(options)
  yield* world.arrive(wrote(phone, "hi", at))
  yield* until(Effect.map(Effect.orDie(world.leads.page(world.live, {})), (all) => all.length === 1))
  return world
})

const statusOf = (world: Pick<InboxWorld, "leads" | "live">, id: string) =>
  Effect.map(Effect.orDie(world.leads.messages(world.live, 1, {})), ({ items }) => {
    const one = items.find((item) => item.id === id)
    return `${one?.status}${one?.error == null ? "" : ` ${one.error}`}`
  })

const becomes = (world: Pick<InboxWorld, "leads" | "live">, id: string, status: string) =>
  until(Effect.map(statusOf(world, id), (now) => now === status))

const receipt = (world: InboxWorld, id: string, status: "SENT" | "DELIVERED" | "READ" | "FAILED") =>
  world.receipts.record({
    reference: `${world.live.environment}.lead_1.dlv_${id.slice(4)}`,
    status,
    providerId: "wamid.out",
    providerCode: status === "FAILED" ? "131026" : null
  })

describe("a reply", () => {
  it.effect("is sent once from the number that the customer wrote to, and shows its status", () =>
    Effect.gen(function* () {
      const world = yield* written()
      const made = yield* world.leads.reply(world.live, 1, { text: "Yes, it is." })
      assert.deepInclude(made, { direction: "OUT", type: "text", status: "PENDING", sentBy: world.live.credentialId })
      yield* becomes(world, made.id, "SENT")
      const [message] = world.sent
      assert.deepInclude(message, { _tag: "Text", to: `+${phone}`, options: { wabaId: ownNumber } })
      assert.strictEqual(Redacted.value(message!.text), "Yes, it is.")
      yield* receipt(world, made.id, "READ")
      yield* receipt(world, made.id, "DELIVERED")
      assert.strictEqual(yield* statusOf(world, made.id), "READ")
      assert.strictEqual((yield* world.leads.get(world.live, 1)).lead.lastMessageAt, start)
    })
  )

  it.effect("as text requires a customer message within 24 hours; a template may be sent at any time", () =>
    Effect.gen(function* () {
      const world = yield* written({}, start - 86_400_000)
      const error = yield* Effect.flip(world.leads.reply(world.live, 1, { text: "too late" }))
      assert.deepInclude(error, { field: "text" })
      assert.include("problem" in error ? error.problem : "", "24 hours")
      const made = yield* world.leads.reply(world.live, 1, { template: "welcome/en_US", values: ["Asha"] })
      yield* becomes(world, made.id, "SENT")
      assert.deepInclude(world.sent[0], { _tag: "Template", name: "welcome", language: "en_US" })
      for (const request of [
        {},
        { text: " " },
        { text: "x".repeat(4_097) },
        { text: "x", template: "y" },
        { template: "A" }
      ]) {
        assert.deepInclude(yield* Effect.flip(world.leads.reply(world.live, 1, request)), { _tag: "InvalidField" })
      }
    })
  )

  it.effect("waits while the provider is down for ten minutes, and is sent once", () =>
    Effect.gen(function* () {
      const played = inboxChannel([accepted])
      let down = true
      const channel: Channel.Channel = {
        ...played.channel,
        send: (message) => (down ? Effect.andThen(Effect.void, unavailable("WHATSAPP")) : played.channel.send(message))
      }
      const world = yield* makeInbox({ channels: [channel] })
      // The callback of this channel delivers the reports of the test.
      played.reports.push(wrote(phone, "hi", start))
      yield* world.receipts.receive("played", {
        method: "POST",
        url: "",
        query: {},
        header: () => undefined,
        body: new Uint8Array()
      })
      yield* until(Effect.map(Effect.orDie(world.leads.page(world.live, {})), (all) => all.length === 1))
      const made = yield* world.leads.reply(world.live, 1, { text: "hello" })
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* statusOf(world, made.id), "PENDING")
      down = false
      yield* TestClock.adjust("1 minute")
      yield* becomes(world, made.id, "SENT")
      assert.strictEqual(played.sent.length, 1)
    })
  )

  it.effect("is FAILED when its 24-hour window ends before the provider accepts it", () =>
    Effect.gen(function* () {
      const world = yield* written({ answers: [unavailable("WHATSAPP")] }, start - 86_400_000 + 60_000)
      const made = yield* world.leads.reply(world.live, 1, { text: "hello" })
      yield* TestClock.adjust("3 minutes")
      const status = yield* statusOf(world, made.id)
      assert.match(status, /^FAILED /)
    })
  )

  it.effect("that the provider refuses is FAILED with the provider's code", () =>
    Effect.gen(function* () {
      const world = yield* written({ answers: [refused("WHATSAPP")] })
      const made = yield* world.leads.reply(world.live, 1, { text: "hello" })
      yield* becomes(world, made.id, "FAILED blocked")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(world.sent.length, 1)
    })
  )

  it.effect("that the provider refuses leaves its customer waiting since their message, until one arrives", () =>
    Effect.gen(function* () {
      let answer: Effect.Effect<unknown, unknown> = refused("WHATSAPP")
      const world = yield* written({ answers: [Effect.suspend(() => answer as typeof accepted)] })
      const waiting = Effect.map(world.leads.get(world.live, 1), ({ waitingSince }) => waitingSince)
      yield* TestClock.adjust("1 minute")
      const first = yield* world.leads.reply(world.live, 1, { text: "hello" })
      yield* becomes(world, first.id, "FAILED blocked")
      assert.strictEqual(yield* waiting, start)
      const { items } = yield* world.leads.history(world.live, 1, { limit: 1 })
      assert.deepInclude(items[0], { kind: "UNANSWERED", by: null })

      // One that is refused by a receipt, after the lead was closed with it.
      answer = accepted
      yield* TestClock.adjust("1 minute")
      const second = yield* world.leads.reply(world.live, 1, { text: "hello?" })
      yield* world.leads.close(world.live, 1)
      yield* becomes(world, second.id, "SENT")
      assert.isNull(yield* waiting)
      yield* receipt(world, second.id, "FAILED")
      const { lead } = yield* world.leads.get(world.live, 1)
      assert.deepInclude(lead, { status: "OPEN", unansweredSince: start })

      yield* TestClock.adjust("1 minute")
      const third = yield* world.leads.reply(world.live, 1, { text: "hello!" })
      yield* becomes(world, third.id, "SENT")
      assert.isNull(yield* waiting)
    })
  )

  it.effect("that fails starts no wait while a later reply may have arrived", () =>
    Effect.gen(function* () {
      const world = yield* written()
      const waiting = Effect.map(world.leads.get(world.live, 1), ({ waitingSince }) => waitingSince)
      const first = yield* world.leads.reply(world.live, 1, { text: "one" })
      yield* becomes(world, first.id, "SENT")
      yield* TestClock.adjust("1 second")
      const second = yield* world.leads.reply(world.live, 1, { text: "two" })
      yield* becomes(world, second.id, "SENT")
      // The first one ended the wait, and the second one may have arrived.
      yield* receipt(world, first.id, "FAILED")
      yield* becomes(world, first.id, "FAILED 131026")
      assert.isNull(yield* waiting)
      // Now neither has arrived.
      yield* receipt(world, second.id, "FAILED")
      yield* becomes(world, second.id, "FAILED 131026")
      assert.strictEqual(yield* waiting, start)
    })
  )

  it.effect("with an unknown outcome is not repeated, FAILS after a minute, and a later receipt corrects it", () =>
    Effect.gen(function* () {
      const world = yield* written({ answers: [unknownOutcome("WHATSAPP")] })
      const made = yield* world.leads.reply(world.live, 1, { text: "hello" })
      yield* TestClock.adjust("50 seconds")
      assert.strictEqual(yield* statusOf(world, made.id), "PENDING")
      yield* TestClock.adjust("15 seconds")
      yield* becomes(world, made.id, "FAILED unanswered")
      const waiting = Effect.map(world.leads.get(world.live, 1), ({ waitingSince }) => waitingSince)
      assert.strictEqual(yield* waiting, start)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(world.sent.length, 1)
      yield* receipt(world, made.id, "DELIVERED")
      assert.strictEqual(yield* statusOf(world, made.id), "DELIVERED")
      assert.isNull(yield* waiting)
      yield* receipt(world, made.id, "FAILED")
      assert.strictEqual(yield* statusOf(world, made.id), "DELIVERED")
    })
  )

  it.effect("whose receipt arrives before the provider's answer keeps the status of the receipt", () =>
    Effect.gen(function* () {
      const played = inboxChannel()
      const world: InboxWorld = yield* makeInbox({
        channels: [
          {
            ...played.channel,
            send: (message) =>
              Effect.suspend(() =>
                Effect.orDie(
                  world.receipts.record({
                    reference: message.reference,
                    status: "READ",
                    providerId: "wamid.out",
                    providerCode: null
                  })
                )
              ).pipe(Effect.andThen(accepted))
          }
        ]
      })
      const lead = yield* world.leads.create(world.live, { phone })
      const made = yield* world.leads.reply(world.live, lead.lead.id, { template: "welcome" })
      yield* becomes(world, made.id, "READ")
    })
  )

  it.effect("that a killed process had marked is not repeated by the next, and FAILS after a minute", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox({ idle: true })
      yield* world.leads.create(world.live, { phone })
      const made = yield* world.leads.reply(world.live, 1, { template: "welcome" })
      const message = (yield* world.store.message(world.live.environment, made.id))!
      yield* world.store.commit(LeadStore.change({ messages: [{ ...message, handedAt: 1 }] }))
      const next = yield* world.another()
      yield* TestClock.adjust("55 seconds")
      assert.strictEqual(yield* statusOf({ ...next, live: world.live }, made.id), "PENDING")
      yield* TestClock.adjust("10 seconds")
      yield* becomes({ ...next, live: world.live }, made.id, "FAILED unanswered")
      assert.strictEqual(world.sent.length, 0)
    })
  )

  it.effect("is sent only after its mark is committed", () =>
    Effect.gen(function* () {
      const marks: Array<string> = []
      const played = inboxChannel()
      const storage = yield* makeStorage
      const store = Context.get(storage, LeadStore)
      const watched: Context.Context<Storage> = Context.add(
        storage,
        LeadStore,
        LeadStore.of({
          ...store,
          commit: (change) =>
            Effect.tap(store.commit(change), () =>
              Effect.sync(() => {
                for (const { handedAt, status } of change.messages) marks.push(`${status} ${handedAt !== null}`)
              })
            )
        })
      )
      const channel: Channel.Channel = {
        ...played.channel,
        send: () => Effect.suspend(() => (marks.push("sent"), accepted))
      }
      const world = yield* makeInbox({ storage: watched, channels: [channel] })
      yield* world.leads.create(world.live, { phone })
      const made = yield* world.leads.reply(world.live, 1, { template: "welcome" })
      yield* becomes(world, made.id, "SENT")
      assert.deepStrictEqual(marks, ["PENDING false", "PENDING true", "sent", "SENT true"])
    })
  )

  it.effect("keeps the mark that another process stored while storage was unreachable from this one", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const store = Context.get(storage, LeadStore)
      let isAway = false
      const cutOff: Context.Context<Storage> = Context.add(
        storage,
        LeadStore,
        LeadStore.of({
          ...store,
          commit: (change) => {
            const [message] = change.messages
            if (isAway || message === undefined || message.handedAt === null) return store.commit(change)
            isAway = true
            // The commit fails here, and another process stores its mark before storage answers again.
            return Effect.andThen(
              Effect.orDie(store.commit(LeadStore.change({ messages: [{ ...message, handedAt: 1 }] }))),
              Effect.fail(new StoreError({ operation: "commit", cause: new Error("away") }))
            )
          }
        })
      )
      const world = yield* makeInbox({ storage: cutOff })
      yield* world.leads.create(world.live, { phone })
      const made = yield* world.leads.reply(world.live, 1, { template: "welcome" })
      yield* until(Effect.sync(() => isAway))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* store.message(world.live.environment, made.id))?.handedAt, 1)
      assert.strictEqual(world.sent.length, 0)
    })
  )

  it.effect("in a test environment is not sent, and the last digits of its number set its status", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const live = world.test
      const ends = { "+919876543210": "DELIVERED", "+919876540000": "FAILED unreachable", "+919876540001": "SENT" }
      let lead = 0
      for (const [number, status] of Object.entries(ends)) {
        const made = yield* Effect.andThen(
          world.leads.create(live, { phone: number }),
          world.leads.reply(live, ++lead, { template: "welcome" })
        )
        yield* until(
          Effect.map(Effect.orDie(world.leads.messages(live, lead, {})), ({ items: [one] }) => {
            return `${one?.status}${one?.error == null ? "" : ` ${one.error}`}` === status && one?.id === made.id
          })
        )
      }
      assert.strictEqual(world.sent.length, 0)
    })
  )

  it.effect("of a suspended merchant is not sent", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox({ idle: true })
      yield* world.leads.create(world.live, { phone })
      const made = yield* world.leads.reply(world.live, 1, { template: "welcome" })
      yield* world.merchants.setStatus(world.live.merchantId, "SUSPENDED")
      const next = yield* world.another()
      yield* becomes({ ...next, live: world.live }, made.id, "FAILED merchant_suspended")
      assert.strictEqual(world.sent.length, 0)
    })
  )
})

describe("a conversation", () => {
  it.effect("has notes that the customer never sees, and continues after a cursor", () =>
    Effect.gen(function* () {
      const world = yield* written()
      yield* world.leads.note(world.live, 1, "Wants the blue one.")
      const first = yield* world.leads.messages(world.live, 1, { limit: 1 })
      assert.deepInclude(first.items[0], { direction: "NOTE", text: "Wants the blue one.", status: null })
      const second = yield* world.leads.messages(world.live, 1, { limit: 1, cursor: first.nextCursor })
      assert.deepInclude(second.items[0], { direction: "IN", text: "hi" })
      assert.deepStrictEqual(
        (yield* world.leads.messages(world.live, 1, { limit: 1, cursor: second.nextCursor })).items,
        []
      )
      assert.strictEqual(world.sent.length, 0)
    })
  )

  it.effect("streams a file from the provider, unless the file is gone", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const file = (id: string) => ({ id, mimeType: "image/png", fileName: "a.png", size: 3 })
      yield* world.arrive(
        wrote(phone, null, start, { type: "image", media: file("m1") }),
        wrote(phone, null, start, { type: "image", media: file("gone") }),
        wrote(phone, "words", start)
      )
      yield* until(
        world.leads.messages(world.live, 1, {}).pipe(
          Effect.map(({ items }) => items.length === 3),
          Effect.orElseSucceed(() => false)
        )
      )
      const { items } = yield* world.leads.messages(world.live, 1, {})
      const ids = new Map(items.map((item) => [item.media?.id ?? "none", item.id]))
      assert.deepInclude(yield* world.leads.media(world.live, 1, ids.get("m1")!), {
        mimeType: "image/png",
        fileName: "a.png"
      })
      for (const id of [ids.get("gone")!, ids.get("none")!, "msg_1"]) {
        assert.deepInclude(yield* Effect.flip(world.leads.media(world.live, 1, id)), { _tag: "UnknownMessage" })
      }
    })
  )

  it.effect("requests a file only with the account of the number that received it", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const number = "206540352242901"
      const accessToken = Redacted.make("EAAGmerchants")
      yield* world.numbers.connect(world.live, { phoneNumberId: number, wabaId: "202290129340398", accessToken })
      const media = { id: "m1", mimeType: "image/png", fileName: "a.png", size: 3 }
      yield* world.arrive(wrote(phone, null, start, { type: "image", media, receiver: number }))
      yield* until(
        world.leads.messages(world.live, 1, {}).pipe(
          Effect.map(({ items }) => items.length === 1),
          Effect.orElseSucceed(() => false)
        )
      )
      const [message] = (yield* world.leads.messages(world.live, 1, {})).items
      const file = world.leads.media(world.live, 1, message!.id)
      const text = Effect.flatMap(file, ({ body }) => Stream.mkString(Stream.decodeText(body)))
      assert.strictEqual(yield* text, `m1 by ${number}`)
      // The service's own token cannot read a file that was sent to the merchant's account.
      yield* world.numbers.disconnect(world.live, number)
      assert.deepInclude(yield* Effect.flip(file), { _tag: "UnknownMessage" })
    })
  )
})
