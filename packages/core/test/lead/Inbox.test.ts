import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { type BulkOutcome, Instant, Labels, type LeadView } from "../../src/index.ts"
import { JobStore, LabelStore, OutboxStore, StoreError } from "../../src/index.storage.ts"
import { did, type InboxWorld, makeInbox, ownNumber, wrote } from "../fixtures/InboxWorld.ts"
import { makeStorage, secrets, start, until } from "../fixtures/World.ts"

const seconds = (n: number) => n * 1_000

/** Waits until there are `many` leads, in any state. */
const count = (world: InboxWorld, leads: number) =>
  until(Effect.map(Effect.orDie(world.leads.page(world.live, { size: 200 })), (all) => all.length >= leads))

const unread = (world: InboxWorld, phone: string, expected: number) =>
  until(
    Effect.map(Effect.orDie(world.leads.page(world.live, { phone })), ([one]) => one?.lead.unreadCount === expected)
  )

const received = (world: InboxWorld) =>
  Effect.map(world.events(world.live), (all) =>
    all
      .flatMap((event) => (event.type === "message.received" ? [event.data] : []))
      .toSorted((a, b) => Number(b.isNewLead) - Number(a.isNewLead))
  )

describe("the inbox", () => {
  it.effect("creates a lead for a first message, and counts later messages", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const first = wrote("919876543210", "Is this still available?", start - 5_000, {
        sender: { phone: "919876543210", userId: null, profileName: "Asha" }
      })
      yield* world.arrive(first)
      yield* count(world, 1)
      yield* world.arrive(wrote("919876543210", "Hello?", start - 3_000), first)
      yield* unread(world, "919876543210", 2)
      const [{ lead } = assert.fail("no lead")] = yield* world.leads.page(world.live, {})
      assert.deepInclude(lead, {
        id: 1,
        contact: "919876543210",
        phone: "919876543210",
        name: "Asha",
        status: "OPEN",
        origin: "INBOUND",
        lastMessageAt: start - 3_000,
        lastInboundAt: start - 3_000,
        receiver: ownNumber,
        unreadCount: 2,
        entries: 1
      })
      const { items } = yield* world.leads.messages(world.live, 1, {})
      assert.deepStrictEqual(
        items.map(({ text }) => text),
        ["Hello?", "Is this still available?"]
      )
      assert.deepStrictEqual(
        (yield* received(world)).map(({ isNewLead, leadId, messageId, name, text }) => ({
          isNewLead,
          leadId,
          messageId,
          name,
          text
        })),
        [
          { leadId: 1, isNewLead: true, name: "Asha", text: "Is this still available?", messageId: first.id },
          { leadId: 1, isNewLead: false, name: "Asha", text: "Hello?", messageId: items[0]!.providerId! }
        ]
      )
    })
  )

  it.effect(
    "lists a lead as waiting from its first unanswered message until a reply, even after an agent reads it",
    () =>
      Effect.gen(function* () {
        const world = yield* makeInbox()
        const waiting = Effect.map(world.leads.list(world.live, { waitingOnly: true, limit: 1 }), ({ items }) =>
          items.map(({ lead, waitingSince }) => [lead.id, waitingSince])
        )
        yield* world.arrive(wrote("919876543210", "Is this still available?", start - 5_000))
        yield* count(world, 1)
        yield* world.arrive(wrote("919876543210", "Hello?", start - 3_000))
        yield* unread(world, "919876543210", 2)
        // Leads that do not wait are newer than the waiting lead.
        for (const phone of ["+919876543211", "+919876543212"]) {
          assert.isNull((yield* world.leads.create(world.live, { phone })).waitingSince)
        }
        assert.deepStrictEqual(yield* waiting, [[1, start - 5_000]])
        yield* world.leads.read(world.live, 1)
        yield* world.leads.note(world.live, 1, "Ask the shop")
        assert.deepStrictEqual(yield* waiting, [[1, start - 5_000]])
        yield* world.leads.close(world.live, 1)
        assert.deepStrictEqual(yield* waiting, [])
        yield* world.leads.reopen(world.live, 1)
        assert.deepStrictEqual(yield* waiting, [[1, start - 5_000]])

        yield* world.leads.reply(world.live, 1, { text: "Yes" })
        assert.deepStrictEqual(yield* waiting, [])
        assert.deepStrictEqual(yield* world.leads.waiting(world.live), { count: 0, more: false, since: null })
        yield* TestClock.adjust(seconds(60))
        yield* world.arrive(wrote("919876543210", "Thanks", start + 30_000))
        yield* unread(world, "919876543210", 1)
        assert.deepStrictEqual(yield* waiting, [[1, start + 30_000]])
      })
  )

  it.effect("lists who waits longest first, through all pages, and counts them", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const phones = ["919876543210", "919876543211", "919876543212"]
      for (const [index, phone] of phones.entries()) yield* world.arrive(wrote(phone, "Hello?", start - 9_000 + index))
      yield* count(world, 3)
      // The latest activity does not change who waits longest.
      yield* world.arrive(wrote(phones[0]!, "Are you there?", start - 1_000))
      yield* unread(world, phones[0]!, 2)
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const page: { readonly items: ReadonlyArray<LeadView>; readonly nextCursor: string | null } =
          yield* world.leads.list(world.live, { waitingOnly: true, limit: 1, cursor })
        seen.push(...page.items.map(({ lead }) => lead.contact))
        cursor = page.nextCursor
      } while (cursor !== null)
      assert.deepStrictEqual(seen, phones)
      assert.deepStrictEqual(yield* world.leads.waiting(world.live), { count: 3, more: false, since: start - 9_000 })
      const other = yield* world.leads.list(world.live, { waitingOnly: true, status: "CLOSED" })
      assert.deepStrictEqual(other.items, [])
    })
  )

  it.effect("ends a wait without a message, starts it again on request, and records both", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      yield* world.arrive(wrote("919876543210", "Thanks!", start - 5_000))
      yield* count(world, 1)
      assert.isNull((yield* world.leads.answered(world.live, 1)).waitingSince)
      yield* world.leads.answered(world.live, 1)
      assert.strictEqual((yield* world.leads.unanswered(world.live, 1)).waitingSince, start - 5_000)
      yield* world.leads.answered(world.live, 1)
      // A message that arrives late was not seen by whoever ended the wait.
      yield* world.arrive(wrote("919876543210", "Still there?", start - 6_000))
      yield* unread(world, "919876543210", 1)
      assert.strictEqual((yield* world.leads.get(world.live, 1)).waitingSince, start - 6_000)
      const { items } = yield* world.leads.history(world.live, 1, {})
      assert.deepStrictEqual(
        items.map(({ kind }) => kind),
        ["ANSWERED", "UNANSWERED", "ANSWERED", "CREATED"]
      )
      const { lead } = yield* world.leads.create(world.live, { phone: "+919876543219" })
      assert.isNull((yield* world.leads.unanswered(world.live, lead.id)).waitingSince)
    })
  )

  it.effect("hides a snoozed lead until its moment, then lists and counts it as waiting, without a job", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      yield* world.arrive(wrote("919876543210", "Is this still available?", start - 5_000))
      yield* count(world, 1)
      // Nobody has to answer this one. A snooze is a reminder.
      yield* world.leads.create(world.live, { phone: "+919876543211" })
      const [soon, later] = [start + seconds(60), start + seconds(120)]
      const listed = (request: { readonly snoozedOnly?: boolean; readonly waitingOnly?: boolean }) =>
        Effect.map(world.leads.list(world.live, request), ({ items }) =>
          items.map(({ lead, snoozedUntil, waitingSince }) => [lead.id, waitingSince ?? snoozedUntil])
        )
      yield* world.leads.snooze(world.live, 1, Instant.toIso(later))
      yield* world.leads.snooze(world.live, 2, Instant.toIso(soon))
      yield* world.leads.snooze(world.live, 2, Instant.toIso(soon))
      assert.deepStrictEqual(yield* listed({ waitingOnly: true }), [])
      assert.deepStrictEqual(yield* world.leads.waiting(world.live), { count: 0, more: false, since: null })
      assert.deepStrictEqual(yield* listed({ snoozedOnly: true }), [
        [2, soon],
        [1, later]
      ])
      const first = yield* world.leads.list(world.live, { snoozedOnly: true, limit: 1 })
      const rest = yield* world.leads.list(world.live, { snoozedOnly: true, limit: 1, cursor: first.nextCursor })
      assert.deepStrictEqual(
        [...first.items, ...rest.items].map(({ lead }) => lead.id),
        [2, 1]
      )
      assert.deepStrictEqual(yield* listed({ snoozedOnly: true, waitingOnly: true }), [])

      yield* TestClock.adjust(seconds(60))
      assert.deepStrictEqual(yield* listed({ waitingOnly: true }), [[2, soon]])
      assert.deepStrictEqual(yield* listed({ snoozedOnly: true }), [[1, later]])
      assert.deepStrictEqual(yield* world.leads.waiting(world.live), { count: 1, more: false, since: soon })
      // A lead that came back keeps waiting when someone ends its snooze.
      assert.strictEqual((yield* world.leads.unsnooze(world.live, 2)).waitingSince, soon)
      assert.isNull((yield* world.leads.answered(world.live, 2)).waitingSince)
      assert.deepStrictEqual(yield* listed({ waitingOnly: true }), [])
      const { items } = yield* world.leads.history(world.live, 2, {})
      assert.deepStrictEqual(
        items.map(({ kind, to }) => [kind, to]),
        [
          ["ANSWERED", null],
          ["SNOOZED", Instant.toIso(soon)],
          ["CREATED", null]
        ]
      )
    })
  )

  it.effect("ends a snooze when the customer writes, and keeps it when an agent replies before its moment", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      yield* world.arrive(wrote("919876543210", "Is this still available?", start - 5_000))
      yield* count(world, 1)
      const until = start + seconds(3_600)
      yield* world.leads.snooze(world.live, 1, Instant.toIso(until))
      yield* world.leads.reply(world.live, 1, { text: "I will ask the shop" })
      assert.strictEqual((yield* world.leads.get(world.live, 1)).snoozedUntil, until)
      yield* TestClock.adjust(seconds(60))
      yield* world.arrive(wrote("919876543210", "And in blue?", start + seconds(30)))
      yield* unread(world, "919876543210", 1)
      assert.deepInclude(yield* world.leads.get(world.live, 1), {
        snoozedUntil: null,
        waitingSince: start + seconds(30)
      })
      yield* world.leads.snooze(world.live, 1, Instant.toIso(until))
      assert.strictEqual((yield* world.leads.unsnooze(world.live, 1)).waitingSince, start + seconds(30))
      yield* world.leads.snooze(world.live, 1, Instant.toIso(until))
      assert.strictEqual((yield* world.leads.unanswered(world.live, 1)).waitingSince, start + seconds(30))

      // After its moment, an answer ends it.
      yield* world.leads.snooze(world.live, 1, Instant.toIso(until))
      yield* TestClock.adjust(seconds(3_600))
      assert.strictEqual((yield* world.leads.get(world.live, 1)).waitingSince, until)
      yield* world.leads.reply(world.live, 1, { text: "Yes" })
      assert.deepInclude(yield* world.leads.get(world.live, 1), { snoozedUntil: null, waitingSince: null })
    })
  )

  it.effect("snoozes only open leads, and only until a moment within a year", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      yield* world.leads.create(world.live, { phone: "+919876543211" })
      for (const until of ["", "tomorrow", Instant.toIso(start), "2399-01-01T00:00:00Z", "2026-02-30T09:00:00Z"]) {
        const failure = yield* Effect.flip(world.leads.snooze(world.live, 1, until))
        assert.deepInclude(failure, { _tag: "InvalidField", field: "until" }, until)
      }
      const until = start + seconds(60)
      yield* world.leads.snooze(world.live, 1, Instant.toIso(until))
      assert.isNull((yield* world.leads.close(world.live, 1)).snoozedUntil)
      assert.isNull((yield* world.leads.snooze(world.live, 1, Instant.toIso(until + 1))).snoozedUntil)
      assert.strictEqual((yield* world.leads.reopen(world.live, 1)).snoozedUntil, until)
      const other = yield* Effect.flip(world.leads.snooze(world.live, 7, Instant.toIso(until)))
      assert.strictEqual(other._tag, "UnknownLead")
    })
  )

  it.effect("changes several leads in one request, each by its own rule, and changes nothing twice", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      for (const phone of ["+919876543211", "+919876543212", "+919876543213"])
        yield* world.leads.create(world.live, { phone })
      const kinds = (id: number) =>
        Effect.map(world.leads.history(world.live, id, {}), ({ items }) => items.map(({ kind }) => kind))
      const close = world.leads.bulk(world.live, { ids: [2, 99, 1, 2], action: "CLOSE" })
      const closed: ReadonlyArray<{ readonly id: number; readonly outcome: BulkOutcome }> = [
        { id: 2, outcome: "DONE" },
        { id: 99, outcome: "NOT_FOUND" },
        { id: 1, outcome: "DONE" }
      ]
      assert.deepStrictEqual(yield* close, closed)
      assert.deepStrictEqual(yield* close, closed)
      assert.deepStrictEqual(yield* kinds(1), ["CLOSED", "CREATED"])
      const until = Instant.toIso(start + seconds(60))
      assert.deepStrictEqual(yield* world.leads.bulk(world.live, { ids: [1, 3], action: "SNOOZE", until }), [
        { id: 1, outcome: "CLOSED" },
        { id: 3, outcome: "DONE" }
      ])
      yield* world.leads.bulk(world.live, { ids: [1, 2, 3], action: "REOPEN" })
      yield* world.leads.bulk(world.live, { ids: [1, 2, 3], action: "UNSNOOZE" })
      assert.deepStrictEqual(yield* kinds(1), ["REOPENED", "CLOSED", "CREATED"])
      assert.deepStrictEqual(yield* kinds(3), ["UNSNOOZED", "SNOOZED", "CREATED"])

      const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
      assert.lengthOf(yield* world.leads.bulk(world.live, { ids: ids(100), action: "CLOSE" }), 100)
      for (const [field, request] of [
        ["ids", { ids: [], action: "CLOSE" }],
        ["ids", { ids: ids(101), action: "CLOSE" }],
        ["action", { ids: [1], action: "ERASE" }],
        ["until", { ids: [1], action: "SNOOZE" }],
        ["until", { ids: [1], action: "CLOSE", until }],
        ["agentEmail", { ids: [1], action: "CLOSE", agentEmail: "asha@shop.example" }]
      ] as const)
        assert.deepInclude(yield* Effect.flip(world.leads.bulk(world.live, request)), { _tag: "InvalidField", field })
      const stranger = { ids: [3], action: "ASSIGN", agentEmail: "nobody@shop.example" }
      assert.strictEqual((yield* Effect.flip(world.leads.bulk(world.live, stranger)))._tag, "UnknownAgent")
    })
  )

  it.effect("keeps a label that another process creates and puts on while this one changes the lead's labels", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const labelStore = Context.get(storage, LabelStore)
      let meanwhile: Effect.Effect<unknown> = Effect.void
      const late = LabelStore.of({
        ...labelStore,
        list: (merchantId) =>
          Effect.tap(labelStore.list(merchantId), () => {
            const run = meanwhile
            meanwhile = Effect.void
            return run
          })
      })
      const world = yield* makeInbox({ storage: Context.add(storage, LabelStore, late) })
      const other = yield* world.another({ storage })
      const [mine, theirs] = [Context.get(world.services, Labels), Context.get(other.services, Labels)]
      yield* world.leads.create(world.live, { phone: "+919876543211" })
      const first = yield* mine.create(world.live, { name: "First" })
      meanwhile = Effect.orDie(
        Effect.flatMap(theirs.create(world.live, { name: "Second" }), ({ id }) =>
          other.leads.label(world.live, 1, { add: [id] })
        )
      )
      const { labels } = yield* world.leads.label(world.live, 1, { add: [first.id] })
      assert.deepStrictEqual(
        labels.map(({ name }) => name),
        ["Second", "First"]
      )
    })
  )

  it.effect("stores repeated messages once, and keeps the order within a second, across callbacks and processes", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const other = yield* world.another()
      const all = Array.from({ length: 120 }, (_, n) =>
        wrote(n % 2 === 0 ? "919876543210" : "14155552671", `${n}`, start - 5_000)
      )
      yield* Effect.all([world.arrive(...all), other.arrive(...all), world.arrive(...all)], { concurrency: 3 })
      yield* world.arrive(...all.toReversed())
      yield* unread(world, "919876543210", 60)
      yield* unread(world, "14155552671", 60)
      assert.strictEqual((yield* received(world)).length, 120)
      const { items } = yield* world.leads.messages(world.live, 1, { limit: 200 })
      assert.strictEqual(items.length, 60)
    })
  )

  it.effect("keeps the order of messages with the same second in one callback", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      yield* world.arrive(...Array.from({ length: 40 }, (_, n) => wrote("919876543210", `${n}`, start - 5_000)))
      yield* unread(world, "919876543210", 40)
      const { items } = yield* world.leads.messages(world.live, 1, { limit: 200 })
      assert.deepStrictEqual(
        items.map(({ text }) => text),
        Array.from({ length: 40 }, (_, n) => `${39 - n}`)
      )
    })
  )

  it.effect("reopens a closed lead for a message, and not for a reaction, an edit or a system notice", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const phone = "919876543210"
      const first = wrote(phone, "hi", start)
      yield* world.arrive(first)
      yield* count(world, 1)
      yield* world.leads.read(world.live, 1)
      yield* world.leads.close(world.live, 1)
      yield* world.arrive(
        did("Reaction", phone, start, { messageId: first.id, emoji: "👍" }),
        did("Edit", phone, start, { messageId: first.id, text: null }),
        did("System", phone, start, { what: "user_changed_user_id", newPhone: null }),
        wrote(phone, null, start, { type: "unknown" })
      )
      yield* until(Effect.map(Effect.orDie(world.leads.messages(world.live, 1, {})), ({ items }) => items.length === 2))
      assert.deepInclude((yield* world.leads.get(world.live, 1)).lead, { status: "CLOSED", unreadCount: 0 })
      yield* world.arrive(wrote(phone, "again", start))
      yield* unread(world, phone, 1)
      assert.deepInclude((yield* world.leads.get(world.live, 1)).lead, { status: "OPEN", entries: 3 })
      const { items } = yield* world.leads.history(world.live, 1, {})
      assert.deepStrictEqual(
        items.map(({ by, kind }) => ({ by, kind })),
        [
          { kind: "REOPENED", by: null },
          { kind: "CLOSED", by: world.live.credentialId },
          { kind: "CREATED", by: null }
        ]
      )
      assert.strictEqual((yield* received(world)).length, 2)
    })
  )

  it.effect("shows edits, reactions and deletions, also when they arrive before their message", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const phone = "919876543210"
      const [kept, gone] = [wrote(phone, "helo", start), wrote(phone, "secret", start)]
      yield* world.arrive(did("Deletion", phone, start, { messageId: gone.id }))
      yield* world.arrive(
        did("Edit", phone, start + 2_000, { messageId: kept.id, text: null }),
        kept,
        did("Reaction", phone, start, { messageId: kept.id, emoji: "👍" }),
        gone
      )
      yield* unread(world, phone, 2)
      const { items } = yield* world.leads.messages(world.live, 1, {})
      const view = (id: string) => items.find(({ providerId }) => providerId === id)
      assert.deepInclude(view(kept.id), { edited: true, deleted: false, reactions: { customer: "👍", merchant: null } })
      assert.deepInclude(view(gone.id), { text: null, deleted: true })
    })
  )

  it.effect("follows a customer to a new number, and learns the number of a customer who hid it", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const hidden = { phone: null, userId: "IN.1", profileName: null }
      yield* world.arrive(wrote(null, "who am I", start, { sender: hidden }))
      yield* count(world, 1)
      assert.deepInclude((yield* world.leads.get(world.live, 1)).lead, { contact: "IN.1", phone: null, userId: "IN.1" })
      yield* world.arrive(wrote(null, "it is me", start, { sender: { ...hidden, phone: "919876543210" } }))
      yield* unread(world, "919876543210", 2)
      yield* world.arrive(
        did("System", "919876543210", start, { what: "user_changed_number", newPhone: "14155552671" })
      )
      yield* unread(world, "14155552671", 2)
      yield* world.arrive(wrote("14155552671", "new number", start))
      yield* unread(world, "14155552671", 3)
      assert.deepInclude((yield* world.leads.get(world.live, 1)).lead, { contact: "14155552671", userId: "IN.1" })
      assert.strictEqual((yield* world.leads.page(world.live, {})).length, 1)
    })
  )

  it.effect("drops messages to a number that no merchant has", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      yield* world.arrive(wrote("14155552671", "lost", start, { receiver: "999" }), wrote("919876543210", "hi", start))
      yield* count(world, 1)
      assert.strictEqual((yield* world.leads.page(world.live, {})).length, 1)
    })
  )

  it.effect("treats a future time as now, and never moves the latest message back in time", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      yield* world.arrive(wrote("919876543210", "tomorrow", start + 86_400_000))
      yield* count(world, 1)
      yield* world.arrive(wrote("919876543210", "yesterday", start - 86_400_000))
      yield* unread(world, "919876543210", 2)
      assert.deepInclude((yield* world.leads.get(world.live, 1)).lead, { lastMessageAt: start, lastInboundAt: start })
    })
  )

  it.effect("buries a message that no key decrypts, and continues with the next", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox({ idle: true })
      yield* world.arrive(wrote("919876543210", "lost", start))
      // The key is rotated, and the old key is removed immediately.
      yield* world.another({ idle: true, secret: secrets.second, previousSecrets: [secrets.first] })
      const after = yield* world.another({ secret: secrets.second })
      yield* TestClock.adjust(seconds(5))
      yield* after.arrive(wrote("14155552671", "hi", start))
      yield* count({ ...world, leads: after.leads }, 1)
      yield* TestClock.adjust(seconds(600))
      assert.strictEqual((yield* after.leads.page(world.live, {})).length, 1)
      const kinds = [{ kind: "inbound", lease: 1 }]
      const now = start + seconds(100_000)
      const jobs = Context.get(world.storage, JobStore)
      const gates = [{ gate: "inbox", limit: 9, free: 9, share: null, held: [], room: 9, rooms: [] }]
      assert.deepStrictEqual((yield* jobs.claimGates({ kinds, now, gates })).jobs, [])
    })
  )

  it.effect("fails a callback that storage could not keep", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const broken = Context.add(
        world.storage,
        OutboxStore,
        OutboxStore.of({ append: () => Effect.fail(new StoreError({ operation: "append", cause: new Error("away") })) })
      )
      const other = yield* makeInbox({ storage: broken, channels: [world.channel] }).pipe(Effect.option)
      assert.strictEqual(other._tag, "Some")
      if (other._tag === "None") return
      world.reports.push(wrote("919876543210", "hi", start))
      const callback = { method: "POST", url: "", query: {}, header: () => undefined, body: new Uint8Array() }
      const exit = yield* Effect.exit(other.value.receipts.receive("played", callback))
      assert.strictEqual(exit._tag, "Failure")
    })
  )
})
