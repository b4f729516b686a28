import { assert, describe, it } from "@effect/vitest"
import type { Arrived, Written } from "../../src/engagement/lead/Arrived.ts"
import { messageId } from "../../src/engagement/lead/Arrived.ts"
import { eventText } from "../../src/engagement/lead/eventText.ts"
import { ist } from "../../src/engagement/lead/ist.ts"
import type { Lead } from "../../src/engagement/lead/Lead.ts"
import type { LeadMessage } from "../../src/engagement/lead/LeadMessage.ts"
import { type Correspondence, receive } from "../../src/engagement/lead/receive.ts"
import { shown } from "../../src/engagement/lead/shown.ts"
import type { Allocation } from "../../src/engagement/lead/Allocation.ts"

const now = Date.UTC(2030, 0, 7, 10)

/** Seeded random numbers, so that every failure can be repeated. */
const seeded = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
  return seed / 4_294_967_296
}

const customers = ["919876543210", "14155552671", "6591234567"] as const

const report = (chance: () => number, n: number): Written => {
  const phone = customers[Math.floor(chance() * customers.length)]!
  const common = {
    id: `in${n}`,
    provider: "played",
    receiver: chance() < 0.5 ? "100" : "200",
    sender: { phone, userId: null, profileName: chance() < 0.5 ? `name ${Math.floor(chance() * 5)}` : null },
    // Whole seconds, some equal, some in the future.
    at: now + 5_000 - Math.floor(chance() * 20) * 1_000
  }
  const about = `in${Math.floor(chance() * 30)}`
  const kind = chance()
  if (kind < 0.08) return { _tag: "Reaction", ...common, messageId: about, emoji: "👍" }
  if (kind < 0.16) return { _tag: "Edit", ...common, messageId: about, text: `edit ${n}` }
  if (kind < 0.2) return { _tag: "Deletion", ...common, messageId: about }
  return {
    _tag: "Message",
    ...common,
    type: kind < 0.3 ? "unknown" : "text",
    text: `text ${n}`,
    payload: null,
    media: null,
    location: null,
    context: null,
    referral: null,
    details: null
  }
}

const shuffled = <A>(all: ReadonlyArray<A>, chance: () => number): ReadonlyArray<A> =>
  all
    .map((one) => ({ one, key: chance() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ one }) => one)

const arrivals = (reports: ReadonlyArray<Written>): ReadonlyArray<Arrived> =>
  reports.map((written, place) => ({ id: messageId(now, place), written }))

/** In-memory storage of one environment. */
const makeRun = () => {
  const leads = new Map<number, Lead>()
  const messages = new Map<string, LeadMessage>()
  let entries = 0
  let events = 0
  let nextLead = 0
  const allocation: Allocation = {
    leadId: () => ++nextLead,
    turn: () => 1,
    open: () => 0,
    took: () => {},
    eventId: (id) => `evt${id}`
  }
  const take = (reports: ReadonlyArray<Written>) => {
    const known: Correspondence = {
      environment: "env",
      leads: [...leads.values()],
      kept: new Set(messages.keys()),
      campaigns: new Map(),
      staff: { agents: [], teams: [] }
    }
    const received = receive(arrivals(reports), known, allocation, now)
    for (const lead of received.leads) leads.set(lead.id, lead)
    for (const message of received.messages) messages.set(message.providerId!, message)
    entries += received.entries.length
    events += received.events.length
  }
  return { leads, messages, take, counts: () => ({ entries, events }) }
}

/** The expected leads, computed in the simplest way. */
const model = (reports: ReadonlyArray<Written>) =>
  customers.flatMap((phone) => {
    const own = reports.flatMap((one) => (one._tag === "Message" && one.sender.phone === phone ? [one] : []))
    if (own.length === 0) return []
    const at = (one: { readonly at: number }) => Math.min(one.at, now)
    const last = Math.max(...own.map(at))
    const names = own
      .flatMap((one) => (one.sender.profileName === null ? [] : [{ at: at(one), name: one.sender.profileName }]))
      .toSorted((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1))
    return [
      {
        phone,
        unreadCount: own.filter(({ type }) => type !== "unknown").length,
        lastMessageAt: last,
        lastInboundAt: last,
        unansweredSince: Math.min(...own.map(at)),
        name: names[0]?.name ?? null
      }
    ]
  })

const summary = (leads: ReadonlyArray<Lead>) =>
  customers.flatMap((number) =>
    leads
      .filter(({ phone }) => phone === number)
      .map(({ lastInboundAt, lastMessageAt, name, phone, unansweredSince, unreadCount }) => ({
        phone,
        unreadCount,
        lastMessageAt,
        lastInboundAt,
        unansweredSince,
        name
      }))
  )

describe("received reports", () => {
  it("give the leads of the model, however they are repeated, shuffled and split", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const chance = seeded(seed)
      const reports = Array.from({ length: 30 }, (_, n) => report(chance, n))
      const all = shuffled([...reports, ...reports], chance)
      const run = makeRun()
      for (let from = 0; from < all.length; ) {
        const size = 1 + Math.floor(chance() * 10)
        run.take(all.slice(from, from + size))
        from += size
      }
      assert.deepStrictEqual(summary([...run.leads.values()]), model(reports), `seed ${seed}`)
      assert.strictEqual(run.messages.size, reports.length)
      assert.strictEqual(run.leads.size, model(reports).length)
      const { events } = run.counts()
      assert.strictEqual(
        events,
        reports.filter((one) => one._tag === "Message" && one.type !== "unknown").length,
        `seed ${seed}`
      )
      // The history has the creation of each lead, and no other entry.
      assert.strictEqual(run.counts().entries, run.leads.size)
    }
  })

  it("look the same in any order of edits, deletions and reactions", () => {
    for (let seed = 1; seed <= 100; seed++) {
      const chance = seeded(seed)
      const reports = Array.from({ length: 30 }, (_, n) => report(chance, n))
      const views = (order: ReadonlyArray<Written>) => {
        const run = makeRun()
        run.take(order)
        return [...run.messages.values()]
          .filter(({ kind }) => kind === "MESSAGE")
          .map((message) => {
            const lead = run.leads.get(message.leadId!)!
            const view = shown(message, [...run.messages.values()], lead)
            return { id: view.providerId, deleted: view.deleted, reactions: view.reactions }
          })
          .toSorted((a, b) => (a.id! < b.id! ? -1 : 1))
      }
      assert.deepStrictEqual(views(reports), views(shuffled(reports, chance)))
    }
  })

  it("of a stranger cannot edit, delete or react to a customer's message", () => {
    const run = makeRun()
    const stranger = { phone: "14155550000", userId: "US.1a", profileName: null }
    const about = (phone: string | null, userId: string | null) => {
      const common = { provider: "played", receiver: "100", sender: { phone, userId, profileName: null }, at: now }
      const id = `${phone}${userId}`
      run.take([
        { _tag: "Edit", ...common, id: `e${id}`, messageId: "hello1", text: "forged" },
        { _tag: "Reaction", ...common, id: `r${id}`, messageId: "hello1", emoji: "👎" },
        { _tag: "Deletion", ...common, id: `d${id}`, messageId: "hello1" }
      ])
    }
    about(stranger.phone, stranger.userId)
    about(stranger.phone, null)
    about(null, stranger.userId)
    run.take([greeting("919876543210", 1)])
    const view = () => shown(run.messages.get("hello1")!, [...run.messages.values()], run.leads.get(1)!)
    assert.deepInclude(view(), { text: "hello", edited: false, deleted: false })
    assert.isNull(view().reactions.customer)
    about("919876543210", "IN.1a")
    assert.deepInclude(view(), { text: null, deleted: true, reactions: { customer: "👎", merchant: null } })
  })

  it("about a message apply to it although they arrived first", () => {
    const run = makeRun()
    const sender = { phone: "919876543210", userId: "IN.1a", profileName: null }
    const common = { provider: "played", receiver: "100", sender, at: now }
    run.take([{ _tag: "Edit", ...common, id: "e1", messageId: "hello1", text: "Hello!" }])
    run.take([greeting("919876543210", 1)])
    const view = shown(run.messages.get("hello1")!, [...run.messages.values()], run.leads.get(1)!)
    assert.deepInclude(view, { text: "Hello!", edited: true })
  })
})

describe("a customer whose provider id consists of digits", () => {
  it("is not confused with the customer who has that number", () => {
    const run = makeRun()
    run.take([greeting("919876543210", 1)])
    run.take([{ ...greeting("", 2), sender: { phone: null, userId: "919876543210", profileName: null } }])
    assert.deepStrictEqual(
      [...run.leads.values()].map(({ contact, phone }) => [contact, phone]),
      [
        ["919876543210", "919876543210"],
        ["id:919876543210", null]
      ]
    )
  })
})

describe("the number of a customer whom the provider's id identifies", () => {
  const userId = "IN.1a"
  const from = (phone: string | null, n: number, at: number): Written => ({
    ...greeting("", n),
    sender: { phone, userId, profileName: null },
    at
  })
  const changed = (phone: string | null, newPhone: string, n: number, at: number): Written => ({
    _tag: "System",
    id: `note${n}`,
    provider: "played",
    receiver: "100",
    sender: { phone, userId, profileName: null },
    at,
    what: "user_changed_number",
    newPhone
  })
  const numbers = (...reports: ReadonlyArray<Written>) => {
    const run = makeRun()
    for (const one of reports) run.take([one])
    return [...run.leads.values()].map(({ contact, phone }) => [phone, contact])
  }
  const [first, second, third] = customers

  it("comes from the latest message, in any order of messages", () => {
    const [older, newer] = [from(first, 1, now - 2_000), from(second, 2, now - 1_000)]
    assert.deepStrictEqual(numbers(older, newer), [[second, second]])
    assert.deepStrictEqual(numbers(newer, older), [[second, second]])
  })

  it("is unchanged when the number of a later message belongs to another customer", () => {
    const other: Written = { ...greeting(second, 3), sender: { phone: second, userId: "IN.2b", profileName: null } }
    assert.deepStrictEqual(numbers(other, from(first, 1, now - 2_000), from(second, 2, now - 1_000)), [
      [second, second],
      [first, first]
    ])
  })

  it("is not reverted by a late or repeated change of number", () => {
    const late = changed(first, second, 1, now - 2_000)
    const last = changed(second, third, 2, now - 1_000)
    assert.deepStrictEqual(numbers(from(first, 1, now - 3_000), late, last), [[third, third]])
    assert.deepStrictEqual(numbers(from(third, 1, now), late), [[third, third]])
    assert.deepStrictEqual(numbers(from(first, 1, now - 3_000), last, late, from(third, 3, now)), [[third, third]])
  })

  it("changes without the contact for a customer who hid it", () => {
    assert.deepStrictEqual(numbers(from(null, 1, now - 2_000), from(first, 2, now - 1_000), from(second, 3, now)), [
      [second, userId]
    ])
  })
})

const greeting = (phone: string, n: number): Extract<Written, { readonly _tag: "Message" }> => ({
  _tag: "Message",
  id: `hello${n}`,
  provider: "played",
  receiver: "100",
  sender: { phone, userId: null, profileName: null },
  at: now,
  type: "text",
  text: "hello",
  payload: null,
  media: null,
  location: null,
  context: null,
  referral: null,
  details: null
})

describe("the helpers for received messages", () => {
  it("format a time as the local time in India", () => {
    assert.strictEqual(ist(Date.UTC(2029, 11, 31, 18, 30, 0, 7)), "2030-01-01T00:00:00.007")
  })

  it("truncate the text of an event to the size limit of receivers, and never inside a surrogate pair", () => {
    for (const text of ["x".repeat(40_000), "\u0001".repeat(40_000), "😀".repeat(20_000), "क".repeat(30_000)]) {
      const cut = eventText(text) ?? ""
      assert.isAtMost(new TextEncoder().encode(JSON.stringify(cut)).length, 15_000)
      assert.isTrue(cut.isWellFormed() && text.startsWith(cut) && cut.length > 1_000)
    }
    assert.strictEqual(eventText("short"), "short")
    assert.strictEqual(eventText(null), null)
  })

  it("give the messages of one callback ids in their order", () => {
    const names = Array.from({ length: 1_000 }, (_, place) => messageId(now, place))
    assert.deepStrictEqual(names, names.toSorted())
    assert.match(names[0]!, /^msg_[0-9a-hjkmnp-tv-z]{26}$/)
  })

  it("make the sender of a reply to a campaign a lead of the campaign", () => {
    const written: Written = { ...greeting("919876543210", 1), context: { messageId: "out1", forwarded: false } }
    const received = receive(
      arrivals([written]),
      {
        environment: "env",
        leads: [],
        kept: new Set(),
        campaigns: new Map([["out1", "cmp_1"]]),
        staff: { agents: [], teams: [] }
      },
      { leadId: () => 1, turn: () => 1, open: () => 0, took: () => {}, eventId: () => "evt_1" },
      now
    )
    assert.deepInclude(received.leads[0], { origin: "CAMPAIGN", campaignId: "cmp_1" })
    assert.deepInclude(received.events[0]?.data, { campaignId: "cmp_1", isNewLead: true })
  })
})
