import {
  Conflict,
  EventStore,
  type Lead,
  type LeadMessage,
  LeadStore,
  type StaffStore,
  StoreError
} from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Race from "../Race.ts"
import { claimFree, event, fresh, freshKind, job, noon } from "./fixtures.ts"
import { agent, byActivity, commit, commitStaff, entry, freshPhone, lead, message, saved } from "./leadFixtures.ts"
import { promise } from "./StorageCheck.ts"

const get = Effect.fnUntraced(function* ({ environment, id }: Pick<Lead, "environment" | "id">) {
  return yield* (yield* LeadStore).get(environment, id)
})

const talk = Effect.fnUntraced(function* (of: Pick<Lead, "environment" | "id">) {
  return yield* (yield* LeadStore).messages(of, null, 1_000)
})

const latest = Effect.fnUntraced(function* (environment: string, leadIds: ReadonlyArray<number>) {
  const rows = yield* (yield* LeadStore).latest(environment, leadIds)
  return rows.map(({ id }) => id).toSorted()
})

const history = Effect.fnUntraced(function* (of: Pick<Lead, "environment" | "id">) {
  return yield* (yield* LeadStore).history(of, null, 1_000)
})

const newest = (messages: ReadonlyArray<LeadMessage>) =>
  messages.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))

const stored = <A extends { readonly version: number }>(state: A): A => ({ ...state, version: state.version + 1 })

const refused = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => assert.instanceOf(error, Conflict))

/** Every field is set, with all that a provider may send. */
const full = (environment: string, text: string): { readonly lead: Lead; readonly message: LeadMessage } => ({
  lead: lead(environment, 1, {
    name: text,
    namedAt: noon - 1,
    userId: fresh("user"),
    origin: "CAMPAIGN",
    campaignId: "cmp_1",
    referral: { sourceType: text, sourceId: text, sourceUrl: text, headline: text, clickId: text },
    receiver: text,
    unreadCount: 7,
    entries: 3,
    assignedTo: 4,
    teamId: 5,
    status: "CLOSED"
  }),
  message: message(environment, 1, {
    type: "image",
    text,
    payload: text,
    media: { id: text, mimeType: text, fileName: text, size: 2 ** 40 },
    location: { latitude: -12.25, longitude: 77.5 },
    details: text,
    context: { messageId: text, forwarded: true },
    referral: { sourceType: text, sourceId: text, sourceUrl: text, headline: text, clickId: text },
    template: { name: text, language: "en", values: [text, ""] },
    status: "PENDING",
    handedAt: noon + 1,
    providerCode: text,
    sentBy: text
  })
})

const hostile = [
  "",
  "%_\\ '; drop table lead; --",
  '<b>&amp;</b> "quoted" {} [] null',
  "\t\r\n\u0001\u007f",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00 half",
  "\u{1f469}\u200d\u{1f680} \u202e \ufeff \ufffe",
  "__proto__",
  "नमस्ते",
  "x".repeat(4_096)
]

export const leadChecks = [
  promise(
    "the latest message of each lead is read with its amendments, also those that arrived before the lead",
    Effect.gen(function* () {
      const [environment, other] = [fresh("env"), fresh("env")]
      const [one, two] = [lead(environment, 1), lead(environment, 2)]
      yield* saved([one, two, lead(environment, 3), lead(other, 1)])
      const last = message(environment, 1, { at: noon + 9 })
      const note = message(environment, 2, { at: noon + 5, direction: "NOTE", providerId: null })
      const about = { about: last.providerId, kind: "EDIT" as const }
      const edit = message(environment, 1, about)
      const early = message(environment, null, { ...about, kind: "DELETION", writer: { phone: "91", userId: null } })
      yield* commit({
        messages: [
          message(environment, 1, { at: noon }),
          last,
          edit,
          early,
          message(environment, 2, about),
          message(environment, 2),
          note,
          message(other, 1, { at: noon + 99 })
        ]
      })
      const ids = (rows: ReadonlyArray<LeadMessage>) => rows.map(({ id }) => id).toSorted()
      assert.deepStrictEqual(yield* latest(environment, [1, 2, 3, 99]), ids([last, edit, early, note]))
      assert.deepStrictEqual(yield* latest(environment, [2]), ids([note]))
      assert.deepStrictEqual(yield* latest(environment, []), [])
    })
  ),
  promise(
    "a lead, its messages and its history are stored as written, one version later",
    Effect.gen(function* () {
      const environment = fresh("env")
      const made = full(environment, "Asha Rao")
      const parts = {
        leads: [made.lead],
        messages: [made.message, message(environment, 1, { at: noon + 1 })],
        entries: [entry(made.lead, 1), entry(made.lead, 2, { by: null, kind: "CREATED", from: "a", to: null })]
      }
      const answer = yield* commit(parts)
      assert.deepStrictEqual(answer, {
        leads: parts.leads.map(stored),
        messages: parts.messages.map(stored)
      })
      assert.deepStrictEqual(yield* get(made.lead), stored(made.lead))
      assert.deepStrictEqual(yield* talk(made.lead), newest(parts.messages).map(stored))
      assert.deepStrictEqual(yield* history(made.lead), parts.entries.toReversed())
      const store = yield* LeadStore
      assert.deepStrictEqual(yield* store.message(environment, made.message.id), stored(made.message))
      assert.isNull(yield* store.message(fresh("env"), made.message.id))
      // A second commit updates all of it in place.
      const changed = {
        leads: [{ ...answer.leads[0]!, assignedTo: null, teamId: null, status: "OPEN" as const, lastMessageAt: null }],
        messages: [{ ...answer.messages[0]!, status: "SENT" as const, providerId: fresh("wamid"), text: null }]
      }
      const again = yield* commit(changed)
      assert.deepStrictEqual(yield* get(made.lead), { ...changed.leads[0]!, version: 2 })
      assert.deepStrictEqual(yield* store.message(environment, made.message.id), again.messages[0])
    })
  ),
  promise(
    "when 200 commits start from one version, one succeeds, and the others leave nothing",
    Effect.gen(function* () {
      const environment = fresh("env")
      const [first] = yield* saved([lead(environment, 1)])
      const race = yield* Race.together(200, (index) => {
        const lead = { ...first!, assignedTo: index + 1 }
        return commit({
          leads: [lead],
          messages: [message(environment, 1, { text: String(index) })],
          entries: [entry(lead, 1, { to: String(index) })],
          events: [event(environment, "webhook.test", { index })]
        })
      })
      assert.strictEqual(race.successes.length, 1)
      assert.strictEqual(race.failures.length, 199)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      const won = (race.successes[0]!.leads[0]!.assignedTo ?? 0) - 1
      assert.deepStrictEqual(yield* get(first!), race.successes[0]!.leads[0])
      assert.deepStrictEqual(
        (yield* talk(first!)).map(({ text }) => text),
        [String(won)]
      )
      assert.deepStrictEqual(
        (yield* history(first!)).map(({ to }) => to),
        [String(won)]
      )
      const events = yield* (yield* EventStore).list({ environment, type: null, after: null, limit: 300 })
      assert.strictEqual(events.length, 1)
    })
  ),
  promise(
    "90 concurrent writers that retry leave a history without gaps",
    Effect.gen(function* () {
      const environment = fresh("env")
      const leads = yield* saved([lead(environment, 1), lead(environment, 2), lead(environment, 3)])
      const write = (of: Lead, by: string): Effect.Effect<unknown, unknown, LeadStore> =>
        Effect.gen(function* () {
          const now = (yield* get(of))!
          const next = { ...now, entries: now.entries + 1, unreadCount: now.unreadCount + 1 }
          yield* commit({ leads: [next], entries: [entry(next, next.entries, { by })] })
        }).pipe(Effect.retry({ while: (error) => error instanceof Conflict }))
      const race = yield* Race.together(90, (index) => write(leads[index % 3]!, String(index)))
      assert.deepStrictEqual(race.failures, [])
      assert.deepStrictEqual(race.defects, [])
      for (const [at, one] of leads.entries()) {
        const mine = Array.from({ length: 90 }, (_, index) => index).filter((index) => index % 3 === at)
        const entries = yield* history(one)
        assert.deepStrictEqual(
          entries.map(({ number }) => number),
          mine.map((_, index) => mine.length - index)
        )
        assert.deepStrictEqual(
          entries.map(({ by }) => Number(by)).toSorted((a, b) => a - b),
          mine
        )
        assert.strictEqual((yield* get(one))!.unreadCount, mine.length)
      }
    })
  ),
  promise(
    "changes to the same leads in any order all finish, each completely or not at all",
    Effect.gen(function* () {
      const environment = fresh("env")
      const leads = yield* saved(Array.from({ length: 20 }, (_, index) => lead(environment, index + 1)))
      const race = yield* Race.together(100, (index) => {
        const chosen = Array.from({ length: 5 }, (_, n) => leads[(index * 7 + n * (1 + (index % 3))) % 20]!)
        const order = index % 2 === 0 ? chosen : chosen.toReversed()
        return commit({ leads: order.map((one) => ({ ...one, receiver: String(index), unreadCount: 1 })) })
      })
      assert.deepStrictEqual(race.defects, [])
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      assert.isAtLeast(race.successes.length, 1)
      const now = new Map((yield* Effect.forEach(leads, get)).map((one) => [one!.id, one!]))
      const touched = new Set<number>()
      for (const { leads: won } of race.successes) {
        for (const one of won) {
          assert.isFalse(touched.has(one.id), "two who were decided on one version have both won")
          touched.add(one.id)
          assert.deepStrictEqual(now.get(one.id), one)
        }
      }
      for (const one of leads) if (!touched.has(one.id)) assert.deepStrictEqual(now.get(one.id), one)
    })
  ),
  promise(
    "a change with any outdated or unknown part writes nothing",
    Effect.gen(function* () {
      const environment = fresh("env")
      const merchantId = fresh("mer")
      const kept = yield* commit({
        leads: [lead(environment, 1)],
        messages: [message(environment, 1)]
      })
      const good = {
        leads: [{ ...kept.leads[0]!, unreadCount: 9 }, lead(environment, 2)],
        messages: [{ ...kept.messages[0]!, text: "other" }, message(environment, 1)],
        entries: [entry(kept.leads[0]!, 1)],
        events: [event(environment)]
      }
      const late = <A extends { readonly version: number }>(states: ReadonlyArray<A>) =>
        states.map((one) => (one.version === 0 ? one : { ...one, version: one.version + 1 }))
      const bad = [
        { ...good, leads: late(good.leads) },
        { ...good, messages: late(good.messages) },
        { ...good, leads: [...good.leads, { ...lead(environment, 3), version: 4 }] },
        { ...good, messages: [...good.messages, { ...message(environment, 1), version: 1 }] },
        { ...good, active: [{ merchantId, id: 7 }] }
      ]
      for (const one of bad) yield* refused(commit(one))
      // All of them together too, next to valid parts.
      const race = yield* Race.together(bad.length * 3, (index) =>
        index % 3 === 0 ? commit(bad[index / 3]!) : commit({ leads: [lead(environment, 100 + index)] })
      )
      assert.strictEqual(race.failures.length, bad.length)
      assert.strictEqual(race.successes.length, bad.length * 2)
      assert.deepStrictEqual(yield* get(kept.leads[0]!), kept.leads[0])
      assert.isNull(yield* get(good.leads[1]!))
      assert.deepStrictEqual(yield* talk(kept.leads[0]!), kept.messages)
      assert.deepStrictEqual(yield* history(kept.leads[0]!), [])
      assert.deepStrictEqual(yield* (yield* EventStore).list({ environment, type: null, after: null, limit: 9 }), [])
      yield* commit(good)
      assert.strictEqual((yield* get(kept.leads[0]!))?.unreadCount, 9)
    })
  ),
  promise(
    "two leads of an environment never share a contact, a number or a provider's id; other environments do not matter",
    Effect.gen(function* () {
      const environment = fresh("env")
      const phone = freshPhone()
      const userId = fresh("user")
      const [first] = yield* saved([lead(environment, 1, { phone, userId })])
      const [second] = yield* saved([lead(environment, 2, { userId: fresh("user") })])
      for (const taken of [{ phone }, { userId }, { contact: first!.contact }]) {
        yield* refused(commit({ leads: [lead(environment, 3, taken)], events: [event(environment)] }))
        yield* refused(commit({ leads: [{ ...second!, ...taken }] }))
        yield* refused(commit({ leads: [lead(environment, 4, taken), lead(environment, 5, taken)] }))
      }
      assert.deepStrictEqual(yield* get(second!), second)
      assert.deepStrictEqual(yield* (yield* EventStore).list({ environment, type: null, after: null, limit: 9 }), [])
      yield* saved([lead(fresh("env"), 1, { phone, userId })])
      // Leads without a number or an id share nothing.
      yield* saved([3, 4, 5].map((id) => lead(environment, id, { phone: null })))
      const race = yield* Race.together(50, (index) =>
        commit({ leads: [lead(environment, 10 + index, { phone: "911234567890" })] })
      )
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
    })
  ),
  promise(
    "a commit can move a number from one lead to another",
    Effect.gen(function* () {
      const environment = fresh("env")
      const [first, second] = yield* saved([lead(environment, 1), lead(environment, 2)])
      const store = yield* LeadStore
      for (const order of [0, 1]) {
        const [a, b] = [(yield* get(first!))!, (yield* get(second!))!]
        const swapped = [
          { ...a, phone: b.phone },
          { ...b, phone: a.phone }
        ]
        yield* commit({ leads: order === 0 ? swapped : swapped.toReversed() })
        assert.strictEqual((yield* store.known(environment, { phone: a.phone, userId: null }, [])).lead?.id, 2)
      }
      // Another customer starts to write with the number that the first has just left.
      const left = (yield* get(first!))!
      const moved = freshPhone()
      const begun = yield* commit({
        leads: [lead(environment, 3, { phone: left.phone }), { ...left, phone: moved, contact: moved }]
      })
      assert.deepStrictEqual(
        (yield* store.known(environment, { phone: left.phone, userId: null }, [])).lead,
        begun.leads[0]
      )
    })
  ),
  promise(
    "a message is stored once per provider id, however many callers deliver it concurrently",
    Effect.gen(function* () {
      const environment = fresh("env")
      yield* saved(Array.from({ length: 5 }, (_, index) => lead(environment, index + 1)))
      const providerIds = Array.from({ length: 10 }, () => fresh("wamid"))
      const race = yield* Race.together(100, (index) =>
        commit({ messages: [message(environment, 1 + (index % 5), { providerId: providerIds[index % 10]! })] })
      )
      assert.strictEqual(race.successes.length, 10)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      const store = yield* LeadStore
      const asked = [...providerIds, fresh("wamid"), "\u0000", "\ud800", ""]
      const { kept, lead: missing } = yield* store.known(environment, { phone: null, userId: null }, asked)
      assert.isNull(missing)
      assert.deepStrictEqual(kept, new Set(providerIds))
      assert.deepStrictEqual((yield* store.known(fresh("env"), { phone: null, userId: null }, asked)).kept, new Set())
      // Our own messages have no provider id until the provider returns one.
      yield* commit({ messages: [1, 2].map(() => message(environment, 1, { providerId: null })) })
      const [own] = (yield* commit({ messages: [message(environment, 1, { providerId: null })] })).messages
      yield* refused(commit({ messages: [{ ...own!, providerId: providerIds[0]! }] }))
      assert.deepStrictEqual(yield* store.message(environment, own!.id), own)
    })
  ),
  promise(
    "a customer is found by number, or else by the provider's id, together with their stored messages",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const environment = fresh("env")
      const userId = fresh("user")
      const [both, hidden] = yield* saved([
        lead(environment, 1, { userId }),
        lead(environment, 2, { phone: null, userId: fresh("user") })
      ])
      const known = (phone: string | null, user: string | null) =>
        Effect.map(store.known(environment, { phone, userId: user }, []), (found) => found.lead)
      assert.deepStrictEqual(yield* known(both!.phone, null), both)
      assert.deepStrictEqual(yield* known(null, userId), both)
      assert.deepStrictEqual(yield* known(freshPhone(), userId), both)
      assert.deepStrictEqual(yield* known(both!.phone, hidden!.userId), both)
      assert.deepStrictEqual(yield* known(freshPhone(), hidden!.userId), hidden)
      assert.isNull(yield* known(null, null))
      for (const missing of ["", "\u0000", "\ud800", "%"]) assert.isNull(yield* known(missing, missing))
      assert.isNull((yield* store.known(fresh("env"), { phone: both!.phone, userId }, [])).lead)
      const asked = yield* Race.together(60, (index) =>
        index % 2 === 0 ? known(both!.phone, null) : known(null, hidden!.userId)
      )
      for (const [index, found] of asked.successes.entries()) {
        assert.deepStrictEqual(found, index % 2 === 0 ? both : hidden)
      }
    })
  ),
  promise(
    "leads are assigned only to agents who are active at that moment, even during their removal",
    Effect.gen(function* () {
      const environment = fresh("env")
      const merchantId = fresh("mer")
      const { agents } = yield* commitStaff({
        agents: [
          agent(merchantId, 1),
          agent(merchantId, 2, { status: "INVITED" }),
          agent(merchantId, 3, { status: "SUSPENDED" }),
          agent(merchantId, 4, { removedAt: noon })
        ]
      })
      const [first] = yield* saved([lead(environment, 1)])
      const give = (to: number, of = merchantId) =>
        commit({ leads: [{ ...first!, assignedTo: to }], active: [{ merchantId: of, id: to }] })
      for (const missing of [2, 3, 4, 5]) yield* refused(give(missing))
      yield* refused(give(1, fresh("mer")))
      assert.deepStrictEqual(yield* get(first!), first)
      const leads = yield* saved(Array.from({ length: 60 }, (_, index) => lead(environment, 10 + index)))
      const race = yield* Race.together(
        61,
        (index): Effect.Effect<LeadStore.Parts | null, unknown, LeadStore | StaffStore> =>
          index === 30
            ? Effect.as(commitStaff({ agents: [{ ...agents[0]!, removedAt: noon }] }), null)
            : commit({ leads: [{ ...leads[index < 30 ? index : index - 1]!, assignedTo: 1 }], active: [agents[0]!] })
      )
      assert.isTrue(Exit.isSuccess(race.exits[30]!))
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      const given = race.successes.filter((one) => one !== null).length
      assert.strictEqual((yield* (yield* LeadStore).openLeads(environment, [1], 1_000)).get(1), given)
      yield* refused(give(1))
    })
  ),
  promise(
    "500 concurrent callers get 500 different numbers from 1, separately for each counter",
    Effect.gen(function* () {
      const { next } = yield* LeadStore
      const scope = fresh("env")
      const race = yield* Race.together(500, () => next(scope, "lead"))
      assert.deepStrictEqual(race.failures, [])
      assert.deepStrictEqual(
        race.successes.toSorted((a, b) => a - b),
        Array.from({ length: 500 }, (_, index) => index + 1)
      )
      const scopes = Array.from({ length: 10 }, () => fresh("env"))
      const mixed = yield* Race.together(200, (index) => next(scopes[index % 10]!, index % 20 < 10 ? "lead" : "agent"))
      assert.deepStrictEqual(new Set(mixed.successes), new Set(Array.from({ length: 10 }, (_, index) => index + 1)))
      assert.strictEqual(yield* next(scope, "lead"), 501)
      assert.strictEqual(yield* next(scope, "team"), 1)
    })
  ),
  promise(
    "a conversation comes newest first, page by page, without reactions and edits",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const environment = fresh("env")
      yield* saved([lead(environment, 1), lead(environment, 2)])
      const made = Array.from({ length: 50 }, (_, index) =>
        message(environment, 1, { at: noon + Math.floor(index / 7), text: String(index) })
      )
      const about = made[3]!.providerId!
      const done = (["REACTION", "EDIT", "DELETION"] as const).map((kind) =>
        message(environment, 1, { kind, about, at: noon + 99 })
      )
      const early = message(environment, null, { kind: "EDIT", about: fresh("wamid") })
      const note = message(environment, 1, { kind: "SYSTEM" })
      const kept = yield* commit({ messages: [...made, ...done, early, note, message(environment, 2)] })
      const expected = newest(kept.messages.slice(0, 50))
      assert.deepStrictEqual(yield* store.messages({ environment, id: 1 }, null, 100), expected)
      const seen: Array<LeadMessage> = []
      for (let after: LeadMessage | null = null; ; ) {
        const page: ReadonlyArray<LeadMessage> = yield* store.messages({ environment, id: 1 }, after, 7)
        seen.push(...page)
        if (page.length < 7) break
        after = page.at(-1)!
      }
      assert.deepStrictEqual(seen, expected)
      const amended = yield* store.amendments({ environment, id: 1 }, [
        about,
        about,
        early.about!,
        fresh("wamid"),
        "\u0000"
      ])
      assert.deepStrictEqual(amended.map(({ id }) => id).toSorted(), [...done, early].map(({ id }) => id).toSorted())
      assert.deepStrictEqual(yield* store.amendments({ environment, id: 1 }, []), [])
      assert.deepStrictEqual(yield* store.amendments({ environment: fresh("env"), id: 1 }, [about]), [])
      assert.deepStrictEqual(yield* store.amendments({ environment, id: 2 }, [about]), [])
      assert.deepStrictEqual(yield* store.messages({ environment: fresh("env"), id: 1 }, null, 100), [])
      // A reaction that waited for its customer is assigned to the lead.
      const [taken] = (yield* commit({ messages: [{ ...kept.messages[53]!, leadId: 2 }] })).messages
      assert.deepStrictEqual(yield* store.amendments({ environment, id: 2 }, [early.about!]), [taken!])
    })
  ),
  promise(
    "of a thousand reactions and edits of a message, the latest ten of each kind are returned, of its lead or of no lead",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const environment = fresh("env")
      yield* saved([lead(environment, 1), lead(environment, 2)])
      const about = fresh("wamid")
      const done = (leadId: number | null, kind: LeadMessage["kind"], count: number) =>
        Array.from({ length: count }, (_, index) =>
          message(environment, leadId, { kind, about, at: noon + Math.floor(index / 7) })
        )
      const own = [done(1, "REACTION", 500), done(1, "EDIT", 30), done(1, "DELETION", 1), done(null, "DELETION", 40)]
      const { messages } = yield* commit({ messages: [...own.flat(), ...done(2, "REACTION", 300)] })
      const kept = messages.filter(({ leadId }) => leadId !== 2)
      const alike = [...Map.groupBy(kept, ({ kind, leadId }) => `${kind} ${leadId}`).values()]
      const ids = (rows: ReadonlyArray<LeadMessage>) => rows.map(({ id }) => id).toSorted()
      assert.deepStrictEqual(
        ids(yield* store.amendments({ environment, id: 1 }, [about])),
        ids(alike.flatMap((all) => newest(all).slice(0, 10)))
      )
    })
  ),
  promise(
    "a history comes newest first, page by page",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const environment = fresh("env")
      const [first, second] = yield* saved([lead(environment, 1), lead(environment, 2)])
      const made = Array.from({ length: 30 }, (_, index) => entry(first!, index + 1, { to: String(index) }))
      yield* commit({ entries: [...made, entry(second!, 1)] })
      const expected = made.toReversed()
      assert.deepStrictEqual(yield* store.history(first!, null, 100), expected)
      assert.deepStrictEqual(yield* store.history(first!, 21, 7), expected.slice(10, 17))
      assert.deepStrictEqual(yield* store.history(first!, 1, 7), [])
      assert.deepStrictEqual(yield* store.history({ environment: fresh("env"), id: 1 }, null, 7), [])
      yield* refused(commit({ leads: [{ ...second!, entries: 2 }], entries: [entry(second!, 1)] }))
      assert.deepStrictEqual(yield* get(second!), second)
    })
  ),
  promise(
    "open leads are counted by agent, and an agent's leads are found in the requested environments",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const [live, test, other] = [fresh("env"), fresh("env"), fresh("env")]
      const made = [live, test, other].flatMap((environment) =>
        Array.from({ length: 12 }, (_, index) =>
          lead(environment, index + 1, {
            assignedTo: [1, 2, null][index % 3]!,
            status: index % 2 === 0 ? "OPEN" : "CLOSED",
            lastMessageAt: index === 0 ? null : noon + index
          })
        )
      )
      yield* saved(made)
      assert.deepStrictEqual(
        yield* store.openLeads(live!, [2, 1, 3, 1], 1_000),
        new Map([
          [2, 2],
          [1, 2],
          [3, 0]
        ])
      )
      assert.deepStrictEqual(yield* store.openLeads(live!, [], 1_000), new Map())
      assert.strictEqual((yield* store.openLeads(live!, [2], 1)).get(2), 1)
      const owned = yield* store.ownedBy([live!, test!, fresh("env")], 1, 100)
      const expected = made.filter(({ assignedTo, environment }) => assignedTo === 1 && environment !== other)
      const names = (leads: ReadonlyArray<Lead>) =>
        leads.map(({ environment, id }) => `${environment} ${id}`).toSorted()
      assert.deepStrictEqual(names(owned), names(expected))
      assert.strictEqual((yield* store.ownedBy([live!, test!], 1, 3)).length, 3)
      for (const missing of [0, -1, 3, 2 ** 40, 1.5])
        assert.deepStrictEqual(yield* store.ownedBy([live!], missing, 9), [])
      assert.deepStrictEqual(yield* store.ownedBy([], 1, 9), [])
    })
  ),
  promise(
    "customers' text is stored exactly or refused whole, never changed, and harms no other write",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const race = yield* Race.together(hostile.length, (index) =>
        Effect.gen(function* () {
          const text = hostile[index]!
          const environment = fresh("env")
          const made = full(environment, text)
          const exit = yield* Effect.exit(commit({ leads: [made.lead], messages: [made.message] }))
          assert.isTrue(Exit.isSuccess(exit), JSON.stringify(text.slice(0, 20)))
          assert.deepStrictEqual(yield* get(made.lead), stored(made.lead))
          assert.deepStrictEqual(yield* talk(made.lead), [stored(made.message)])
          for (const parts of [
            { leads: [lead(environment, 2, { contact: `c${text}`, phone: null })] },
            { leads: [lead(environment, 2, { userId: `u${text}` })] },
            { messages: [message(environment, 1, { providerId: `p${text}` })] },
            { messages: [message(environment, 1, { kind: "EDIT", about: `a${text}` })] }
          ]) {
            const before = yield* store.page({ environment }, { offset: 0, limit: 9 })
            const written = yield* Effect.exit(commit(parts))
            const after = yield* store.page({ environment }, { offset: 0, limit: 9 })
            if (Exit.isFailure(written)) {
              assert.deepStrictEqual(after, before)
            } else {
              const [made] = written.value.leads
              if (made !== undefined) {
                const found = yield* store.known(environment, { phone: made.phone, userId: made.userId }, [])
                if (made.phone !== null) assert.deepStrictEqual(found.lead, made)
                assert.deepStrictEqual(yield* get(made), made)
                yield* commit({ leads: [{ ...made, userId: null, contact: fresh("c"), phone: null, id: made.id }] })
                continue
              }
              const [row] = written.value.messages
              assert.deepStrictEqual(yield* store.message(environment, row!.id), row)
              if (row!.about !== null) {
                assert.deepStrictEqual(yield* store.amendments({ environment, id: 1 }, [row!.about]), [row!])
              }
            }
          }
        })
      )
      assert.deepStrictEqual(race.failures, [])
      assert.deepStrictEqual(race.defects, [])
    })
  ),
  promise(
    "numbers that are not ids find nothing, and cannot be written",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const environment = fresh("env")
      yield* saved([lead(environment, 1)])
      for (const id of [0, -1, 1.5, 2 ** 31, 2 ** 53, Number.NaN, Infinity]) {
        assert.isNull(yield* store.get(environment, id))
        assert.deepStrictEqual(yield* store.messages({ environment, id }, null, 9), [])
        assert.deepStrictEqual(yield* store.history({ environment, id }, null, 9), [])
        assert.deepStrictEqual(yield* store.page({ environment, assignedTo: id }, { offset: 0, limit: 9 }), [])
        assert.deepStrictEqual(yield* store.page({ environment, teamId: id }, { offset: 0, limit: 9 }), [])
        assert.deepStrictEqual(
          yield* store.openLeads(environment, [1, id], 1_000),
          new Map([
            [1, 0],
            [id, 0]
          ])
        )
      }
      for (const offset of [1, 2 ** 31, 2 ** 53]) {
        assert.deepStrictEqual(yield* store.page({ environment }, { offset, limit: 9 }), [])
      }
      assert.strictEqual((yield* store.page({ environment }, { offset: 0, limit: 100 })).length, 1)
    })
  ),
  promise(
    "a change that only ends or only adds a job is written",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      yield* commit({ jobs: [job(environment, { kind })] })
      const [claimed] = yield* claimFree(kind)
      yield* commit({ done: claimed! })
      assert.deepStrictEqual(yield* claimFree(kind, { now: noon + 1e9 }), [])
      const late = yield* Effect.exit(commit({}))
      assert.isTrue(Exit.isSuccess(late))
    })
  ),
  promise(
    "messages of many customers who write concurrently are all stored",
    Effect.gen(function* () {
      const environment = fresh("env")
      const made = Array.from({ length: 300 }, (_, index) => {
        const one = lead(environment, index + 1, { name: `Customer ${index}`, lastMessageAt: noon + index })
        const count = index % 50 === 0 ? 50 : 1 + (index % 3)
        return {
          leads: [one],
          messages: Array.from({ length: count }, (_, n) => message(environment, one.id, { at: noon + n })),
          entries: [entry(one, 1, { kind: "CREATED" })],
          events: [event(environment, "webhook.test")]
        }
      })
      const race = yield* Race.together(made.length, (index) => commit(made[index]!))
      assert.deepStrictEqual(race.failures, [])
      const store = yield* LeadStore
      const all = yield* store.page({ environment }, { offset: 0, limit: 1_000 })
      assert.deepStrictEqual(all, byActivity(made.map(({ leads }) => stored(leads[0]!))))
      for (const { leads, messages } of made.filter((_, index) => index % 25 === 0)) {
        assert.deepStrictEqual(yield* talk(leads[0]!), newest(messages).map(stored))
      }
    })
  ),
  promise(
    "a change that cannot be written harms no other change in its batch",
    Effect.gen(function* () {
      const environment = fresh("env")
      yield* saved([lead(environment, 1)])
      const race = yield* Race.together(40, (index) =>
        commit({
          leads: [
            lead(
              environment,
              index % 10 === 3 ? 2 ** 33 + index : 10 + index,
              index % 10 === 7 ? { contact: `c\u0000${index}`, lastMessageAt: noon } : {}
            )
          ]
        })
      )
      for (const error of race.failures) assert.instanceOf(error, StoreError)
      assert.deepStrictEqual(race.defects, [])
      assert.isAtLeast(race.successes.length, 32)
      for (const { leads } of race.successes) assert.deepStrictEqual(yield* get(leads[0]!), leads[0])
    })
  )
]
