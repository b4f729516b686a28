import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { LeadStore } from "../../src/index.storage.ts"
import { type InboxWorld, inboxChannel, makeInbox, ownNumber, wrote } from "../fixtures/InboxWorld.ts"
import { bytesOf, ogg, pdf, png } from "../fixtures/files.ts"
import { accepted, unavailable } from "../fixtures/RecordingChannel.ts"
import { start, until } from "../fixtures/World.ts"

const phones = ["919876543210", "919876543211"]

/** A world in which two customers wrote. */
const written = Effect.fnUntraced(function* (options: Parameters<typeof makeInbox>[0] = {}, at = start) {
  const world = yield* makeInbox(options)
  for (const phone of phones) yield* world.arrive(wrote(phone, "hi", at))
  yield* until(Effect.map(Effect.orDie(world.leads.page(world.live, {})), (all) => all.length === phones.length))
  return world
})

const becomes = (world: InboxWorld, id: string, expected: string) =>
  until(
    Effect.map(
      Effect.orDie(world.leads.messages(world.live, 1, {})),
      ({ items }) => items.find((item) => item.id === id)?.status === expected
    )
  )

const problemOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => {
    const { _tag, field, problem } = error as { _tag?: string; field?: string; problem?: string }
    return field === undefined ? `${_tag}` : `${field} ${problem}`
  })

describe("a file for a reply", () => {
  it.effect("is uploaded for the number that the customer wrote to, and sent once with its caption and name", () =>
    Effect.gen(function* () {
      const world = yield* written()
      const { attachment, ...facts } = yield* world.leads.attach(world.live, 1, pdf)
      assert.deepStrictEqual(facts, { kind: "document", mimeType: "application/pdf", size: pdf.length })
      assert.deepStrictEqual(world.uploads, [
        { bytes: pdf, mimeType: "application/pdf", ending: "pdf", sender: ownNumber, account: null }
      ])
      const made = yield* world.leads.reply(world.live, 1, { attachment, fileName: "../Bill.pdf", text: "Your bill" })
      const media = { id: "file-1", mimeType: "application/pdf", fileName: "Bill.pdf", size: pdf.length }
      assert.deepInclude(made, { type: "document", text: "Your bill", media, template: null, status: "PENDING" })
      yield* becomes(world, made.id, "SENT")
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(world.sent.length, 1)
      const [message] = world.sent
      assert.deepInclude(message, {
        _tag: "Media",
        to: `+${phones[0]}`,
        options: { wabaId: ownNumber },
        media: { kind: "document", id: "file-1", fileName: "Bill.pdf" }
      })
      assert.strictEqual(Redacted.value(message!.text), "Your bill")
      // The inbox shows it as it shows received files.
      assert.deepInclude(yield* world.leads.media(world.live, 1, made.id), {
        fileName: "Bill.pdf",
        mimeType: "image/png"
      })
      const { lead } = yield* world.leads.get(world.live, 1)
      assert.isNull(lead.unansweredSince)
    })
  )

  it.effect("can be sent only to the lead, the environment and the service that it was uploaded for", () =>
    Effect.gen(function* () {
      const world = yield* written()
      const { attachment } = yield* world.leads.attach(world.live, 1, png)
      const refused = "attachment is not a file of this conversation, or has expired; attach the file again"
      const tries = [
        world.leads.reply(world.live, 2, { attachment }),
        world.leads.reply(world.live, 1, {
          attachment: `${attachment.slice(0, -1)}${attachment.endsWith("0") ? 1 : 0}`
        }),
        world.leads.reply(world.live, 1, { attachment: "" }),
        world.leads.reply(world.live, 1, { attachment: "x".repeat(10_000) }),
        // A signed cursor of a list is no file.
        Effect.flatMap(world.leads.messages(world.live, 1, { limit: 1 }), ({ nextCursor }) =>
          world.leads.reply(world.live, 1, { attachment: nextCursor ?? "none" })
        )
      ]
      for (const each of tries) assert.strictEqual(yield* problemOf(each), refused)
      assert.strictEqual(yield* problemOf(world.leads.reply(world.test, 1, { attachment })), "UnknownLead")
      yield* world.leads.reply(world.live, 1, { attachment })
    })
  )

  it.effect("expires after 24 hours, and when the customer writes to another number of ours", () =>
    Effect.gen(function* () {
      // Without running jobs, moving the clock by a day takes no time.
      const world = yield* makeInbox({ idle: true })
      yield* world.leads.create(world.live, { phone: phones[0]! })
      const row = (yield* world.store.get(world.live.environment, 1))!
      const change = (more: Partial<typeof row>) =>
        Effect.flatMap(world.store.get(world.live.environment, 1), (lead) =>
          world.store.commit(LeadStore.change({ leads: [{ ...lead!, ...more }] }))
        )
      yield* change({ lastInboundAt: start, receiver: ownNumber })
      const { attachment } = yield* world.leads.attach(world.live, 1, png)
      yield* TestClock.adjust("24 hours")
      yield* change({ lastInboundAt: start + 86_400_000 })
      assert.include(yield* problemOf(world.leads.reply(world.live, 1, { attachment })), "attachment is not a file")
      const { attachment: fresh } = yield* world.leads.attach(world.live, 1, png)
      yield* change({ receiver: "200" })
      assert.include(
        yield* problemOf(world.leads.reply(world.live, 1, { attachment: fresh })),
        "attachment is not a file"
      )
    })
  )

  it.effect("needs a customer who wrote within 24 hours, when it is uploaded and when it is sent", () =>
    Effect.gen(function* () {
      const world = yield* written({}, start - 86_400_000 + 60_000)
      const { attachment } = yield* world.leads.attach(world.live, 1, png)
      yield* TestClock.adjust("1 minute")
      assert.include(yield* problemOf(world.leads.attach(world.live, 1, png)), "file can be sent within 24 hours")
      assert.include(
        yield* problemOf(world.leads.reply(world.live, 1, { attachment })),
        "attachment can be sent within 24 hours"
      )
      const fresh = yield* world.leads.create(world.live, { phone: "919876543299" })
      assert.include(
        yield* problemOf(world.leads.attach(world.live, fresh.lead.id, png)),
        "file can be sent only after"
      )
      assert.strictEqual(world.uploads.length, 1)
    })
  )

  it.effect("that is empty, too large or of another type is not uploaded", () =>
    Effect.gen(function* () {
      const world = yield* written()
      const padded = (bytes: Uint8Array, size: number) => {
        const all = new Uint8Array(size)
        all.set(bytes)
        return all
      }
      const refused: ReadonlyArray<readonly [Uint8Array, string]> = [
        [new Uint8Array(), "file is empty"],
        [bytesOf("<svg/>"), "file must be a JPEG or PNG"],
        [padded(png, 5_000_001), "file must be at most 5 MB"],
        [padded(pdf, 16_000_001), "file must be at most 16 MB"]
      ]
      for (const [bytes, problem] of refused) {
        assert.include(yield* problemOf(world.leads.attach(world.live, 1, bytes)), problem)
      }
      assert.deepStrictEqual(world.uploads, [])
      yield* world.leads.attach(world.live, 1, padded(png, 5_000_000))
      yield* world.leads.attach(world.live, 1, padded(pdf, 16_000_000))
    })
  )

  it.effect("has a caption of at most 1,024 characters, a recording none, and no template beside it", () =>
    Effect.gen(function* () {
      const world = yield* written()
      const { attachment } = yield* world.leads.attach(world.live, 1, png)
      const recording = yield* world.leads.attach(world.live, 1, ogg)
      const reply = (request: Parameters<typeof world.leads.reply>[2]) => world.leads.reply(world.live, 1, request)
      assert.include(yield* problemOf(reply({ attachment, text: "x".repeat(1_025) })), "text must be 1 to 1024")
      assert.include(yield* problemOf(reply({ attachment, text: " " })), "text must be 1 to 1024")
      assert.include(yield* problemOf(reply({ ...recording, text: "Listen" })), "text cannot be the caption")
      assert.include(
        yield* problemOf(reply({ attachment, template: "welcome" })),
        "attachment send a file or a template"
      )
      assert.include(yield* problemOf(reply({ text: "x", fileName: "x.pdf" })), "fileName needs a file")
      const made = yield* reply({ attachment, text: "x".repeat(1_024) })
      assert.deepInclude(made, { type: "image" })
      assert.isNull(made.media?.fileName)
      assert.deepInclude(yield* reply({ attachment: recording.attachment }), { type: "audio", text: null })
    })
  )

  it.effect("is accepted in a test environment, without a provider", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const entered = yield* world.leads.create(world.test, { phone: phones[0]! })
      const row = (yield* world.store.get(world.test.environment, entered.lead.id))!
      yield* world.store.commit(LeadStore.change({ leads: [{ ...row, lastInboundAt: start }] }))
      const { attachment } = yield* world.leads.attach(world.test, row.id, png)
      const made = yield* world.leads.reply(world.test, row.id, { attachment, text: "Look" })
      yield* until(
        Effect.map(
          Effect.orDie(world.leads.messages(world.test, row.id, {})),
          ({ items }) => items.find(({ id }) => id === made.id)?.status === "DELIVERED"
        )
      )
      assert.deepStrictEqual([world.uploads, world.sent], [[], []])
      assert.strictEqual(yield* problemOf(world.leads.media(world.test, row.id, made.id)), "UnknownMessage")
    })
  )

  it.effect("is refused when the provider takes no files", () =>
    Effect.gen(function* () {
      const played = inboxChannel([accepted])
      const { upload: _, ...accounts } = played.channel.accounts!
      const world = yield* makeInbox({ channels: [{ ...played.channel, accounts }] })
      played.reports.push(wrote(phones[0]!, "hi", start))
      yield* world.receipts.receive("played", {
        method: "POST",
        url: "",
        query: {},
        header: () => undefined,
        body: new Uint8Array()
      })
      yield* until(Effect.map(Effect.orDie(world.leads.page(world.live, {})), (all) => all.length === 1))
      assert.include(yield* problemOf(world.leads.attach(world.live, 1, png)), "provider accepts no files")
    })
  )

  it.effect("waits while the provider is down, and fails with the end of the 24 hours", () =>
    Effect.gen(function* () {
      const world = yield* written({ answers: [unavailable("WHATSAPP")] }, start - 86_400_000 + 60_000)
      const { attachment } = yield* world.leads.attach(world.live, 1, png)
      const made = yield* world.leads.reply(world.live, 1, { attachment })
      yield* TestClock.adjust("3 minutes")
      yield* becomes(world, made.id, "FAILED")
    })
  )
})
