import { type Lead, type LeadRead, LeadStore, searchWords, waitingSince, waitsFrom } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { fresh, noon } from "./fixtures.ts"
import { byActivity, commit, lead, matches, message, saved } from "./leadFixtures.ts"
import { promise } from "./StorageCheck.ts"

/** Leads in every state that a list distinguishes, with equal times, and some without messages. */
const various = (environment: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    lead(environment, index + 1, {
      status: index % 3 === 0 ? "CLOSED" : "OPEN",
      assignedTo: [null, 1, 2, null, 1][index % 5]!,
      teamId: [null, 7, 8, 7][index % 4]!,
      lastMessageAt: index % 11 === 0 ? null : noon + Math.floor((index * 7) % 20) * 1_000
    })
  )

const filters = (environment: string, phone: string): ReadonlyArray<LeadStore.Filter> =>
  [{}, { phone }, { phone: "910000000000" }].flatMap((of) =>
    [{}, { assignedTo: null }, { assignedTo: 1 }, { assignedTo: 99 }].flatMap((by) =>
      [{}, { status: "OPEN" as const }, { status: "CLOSED" as const }].flatMap((as) =>
        [{}, { teamId: 7 }, { teamId: 99 }].map((team) => ({ environment, ...of, ...by, ...as, ...team }))
      )
    )
  )

const described = (filter: LeadStore.Filter) => JSON.stringify({ ...filter, environment: "" })

const search = Effect.fnUntraced(function* (environment: string, name: string, limit = 100) {
  const found = yield* (yield* LeadStore).search(environment, { words: searchWords(name) }, limit)
  return found.map(({ id }) => id).toSorted((a, b) => a - b)
})

const searchEnd = Effect.fnUntraced(function* (environment: string, phoneEnd: string, limit = 100) {
  const found = yield* (yield* LeadStore).search(environment, { phoneEnd }, limit)
  return found.map(({ id }) => id).toSorted((a, b) => a - b)
})

const named = (environment: string, names: ReadonlyArray<string>) =>
  saved(names.map((name, index) => lead(environment, index + 1, { name })))

export const leadListChecks = [
  promise(
    "every filter lists its leads, most recently active first, by page and by cursor",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const environment = fresh("env")
      const leads = yield* saved(various(environment, 120))
      yield* saved(various(fresh("env"), 20))
      for (const filter of filters(environment, leads[31]!.phone!)) {
        const expected = byActivity(leads.filter(matches(filter)))
        const what = described(filter)
        assert.deepStrictEqual(yield* store.page(filter, { offset: 0, limit: 1_000 }), expected, what)
        assert.deepStrictEqual(yield* store.page(filter, { offset: 9, limit: 7 }), expected.slice(9, 16), what)
        assert.deepStrictEqual(yield* store.page(filter, { offset: 500, limit: 7 }), [], what)
        const seen: Array<Lead> = []
        for (let place: LeadStore.Cursor | null = null; ; ) {
          const next: ReadonlyArray<Lead> = yield* store.after(filter, place, 13)
          seen.push(...next)
          if (next.length < 13) break
          const last = next.at(-1)!
          place = { at: last.lastMessageAt, id: last.id }
        }
        assert.deepStrictEqual(seen, expected, what)
      }
    })
  ),
  promise(
    "a list cursor works whether or not its lead still exists",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const environment = fresh("env")
      const leads = yield* saved([
        lead(environment, 1, { lastMessageAt: noon }),
        lead(environment, 2, { lastMessageAt: null }),
        lead(environment, 4, { lastMessageAt: noon }),
        lead(environment, 5, { lastMessageAt: null }),
        lead(environment, 6, { lastMessageAt: noon - 5 })
      ])
      const after = (at: number | null, id: number) =>
        Effect.map(store.after({ environment }, { at, id }, 9), (found) => found.map((one) => one.id))
      assert.strictEqual(leads.length, 5)
      assert.deepStrictEqual(yield* after(noon, 9), [4, 1, 6, 5, 2])
      assert.deepStrictEqual(yield* after(noon, 3), [1, 6, 5, 2])
      assert.deepStrictEqual(yield* after(noon, 1), [6, 5, 2])
      assert.deepStrictEqual(yield* after(noon - 5, 6), [5, 2])
      assert.deepStrictEqual(yield* after(null, 5), [2])
      assert.deepStrictEqual(yield* after(null, 2), [])
      assert.deepStrictEqual(yield* after(noon + 1, 1), [4, 1, 6, 5, 2])
    })
  ),
  promise(
    "leads with activity after a cursor are found, earliest first, within the filter",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const environment = fresh("env")
      const leads = yield* saved(various(environment, 120))
      const phone = leads[31]!.phone!
      for (const filter of filters(environment, phone)) {
        for (const place of [
          { at: noon, id: 0 },
          { at: noon + 5_000, id: 60 },
          { at: noon + 19_000, id: 1_000 }
        ]) {
          const expected = byActivity(leads.filter(matches(filter)))
            .toReversed()
            .filter(
              ({ id, lastMessageAt }) =>
                lastMessageAt !== null && (lastMessageAt > place.at || (lastMessageAt === place.at && id > place.id))
            )
          const found = yield* store.movedSince(filter, place, 20)
          assert.deepStrictEqual(found, expected.slice(0, 20), `${described(filter)} ${JSON.stringify(place)}`)
        }
      }
    })
  ),
  promise(
    "waiting leads are listed and counted, longest waiting first, within the filter",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const environment = fresh("env")
      const waitingLeads = (environment: string, count: number) =>
        various(environment, count).map((one, index) => ({
          ...one,
          unansweredSince: index % 4 === 0 ? null : noon - Math.floor((index * 7) % 20) * 1_000,
          snoozedUntil: index % 5 === 0 ? noon + (Math.floor((index * 7) % 9) - 4) * 1_000 : null
        }))
      const leads = yield* saved(waitingLeads(environment, 120))
      yield* saved(waitingLeads(fresh("env"), 20))
      const expectedOf = (filter: LeadStore.WaitingFilter) =>
        leads
          .filter(matches(filter))
          .filter((one) => {
            const from = waitsFrom(one)
            return from !== null && from <= filter.until
          })
          .toSorted((a, b) => waitsFrom(a)! - waitsFrom(b)! || a.id - b.id)
      for (const by of [{}, { assignedTo: null }, { assignedTo: 1 }, { assignedTo: 99 }]) {
        for (const team of [
          { until: noon },
          { until: noon, teamId: 7 },
          { until: Infinity, teamId: 99 },
          { until: Infinity },
          { until: noon - 5_000 }
        ]) {
          const filter = { environment, ...by, ...team }
          const expected = expectedOf(filter)
          const what = described(filter)
          assert.deepStrictEqual(yield* store.waiting(filter, null, 1_000), expected, what)
          const seen: Array<Lead> = []
          for (let place: LeadStore.Place | null = null; ; ) {
            const next: ReadonlyArray<Lead> = yield* store.waiting(filter, place, 13)
            seen.push(...next)
            if (next.length < 13) break
            place = { at: waitsFrom(next.at(-1)!)!, id: next.at(-1)!.id }
          }
          assert.deepStrictEqual(seen, expected, what)
        }
      }
      const all = expectedOf({ environment, until: noon })
      assert.isAbove(all.length, 20)
      assert.isAbove(expectedOf({ environment, until: Infinity }).length, all.length)
      const since = waitingSince(all[0]!, noon)
      assert.deepStrictEqual(yield* store.countWaiting(environment, noon, 1_000), { count: all.length, since })
      assert.deepStrictEqual(yield* store.countWaiting(environment, noon, 7), { count: 7, since })
      assert.deepStrictEqual(yield* store.countWaiting(environment, noon - 60_000, 7), { count: 0, since: null })
      assert.deepStrictEqual(yield* store.countWaiting(fresh("env"), noon, 7), { count: 0, since: null })
    })
  ),
  promise(
    "a lead stops waiting when it is answered, snoozed or closed, and waits again from its new time",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const environment = fresh("env")
      let [one] = yield* saved([
        lead(environment, 1, { unansweredSince: noon }),
        lead(environment, 2, { unansweredSince: noon + 5 })
      ])
      const waiting = Effect.map(store.waiting({ environment, until: noon + 20 }, null, 9), (found) =>
        found.map(({ id }) => id)
      )
      const change = Effect.fnUntraced(function* (fields: Partial<Lead>) {
        one = (yield* commit({ leads: [{ ...one!, ...fields }] })).leads[0]
      })
      assert.deepStrictEqual(yield* waiting, [1, 2])
      yield* change({ status: "CLOSED" })
      assert.deepStrictEqual(yield* waiting, [2])
      yield* change({ status: "OPEN", unansweredSince: noon + 10 })
      assert.deepStrictEqual(yield* waiting, [2, 1])
      yield* change({ snoozedUntil: noon + 21 })
      assert.deepStrictEqual(yield* waiting, [2])
      yield* change({ snoozedUntil: noon + 1 })
      assert.deepStrictEqual(yield* waiting, [1, 2])
      yield* change({ unansweredSince: null, snoozedUntil: null })
      assert.deepStrictEqual(yield* waiting, [2])
      assert.deepStrictEqual(yield* store.countWaiting(environment, noon + 20, 9), { count: 1, since: noon + 5 })
    })
  ),
  promise(
    "changes of leads, messages, read marks and waits are listed for a moment, each once and for their environment",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const [environment, other] = [fresh("env"), fresh("env")]
      const seen = new Set<string>()
      const news = Effect.fnUntraced(function* (now: number = noon) {
        const all = yield* store.changes(environment, now)
        assert.lengthOf(new Set(all.map(({ id }) => id)), all.length)
        const fresh = all.filter(({ id }) => !seen.has(id))
        for (const { id } of fresh) seen.add(id)
        return fresh.map(({ agentId, leadId }) => [leadId, agentId]).sort((a, b) => a[0]! - b[0]!)
      })
      const [, two] = yield* saved([lead(environment, 1), lead(environment, 2), lead(other, 3)])
      assert.deepStrictEqual(yield* news(), [
        [1, null],
        [2, null]
      ])
      assert.deepStrictEqual(yield* news(), [])
      yield* commit({ messages: [message(environment, 1), message(environment, null, { kind: "EDIT", about: "x" })] })
      assert.deepStrictEqual(yield* news(), [[1, null]])
      const read = { environment, leadId: 2, agentId: 7, seen: 1, isUnread: false }
      yield* store.saveRead(read)
      yield* store.saveRead({ ...read, leadId: 99 })
      assert.deepStrictEqual(yield* news(), [[2, 7]])
      yield* commit({ leads: [{ ...two!, snoozedUntil: noon + 60_000 }] })
      assert.deepStrictEqual(yield* news(), [[2, null]])
      assert.deepStrictEqual(yield* news(noon + 59_999), [])
      assert.deepStrictEqual(yield* news(noon + 60_000), [[2, null]])
      assert.deepStrictEqual(yield* news(noon + 69_999), [])
      // A change that was refused is none.
      yield* Effect.flip(commit({ leads: [two!] }))
      yield* store.purgeChanges
      assert.deepStrictEqual(yield* news(), [])
      assert.deepStrictEqual(yield* store.changes("\u0000", noon), [])
    })
  ),
  promise(
    "what an agent has read is kept for each agent and lead, and is forgotten with the agent",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const [environment, other] = [fresh("env"), fresh("env")]
      for (const one of [environment, other]) yield* saved([1, 2, 3].map((id) => lead(one, id)))
      const row = (leadId: number, more: Partial<LeadRead> = {}): LeadRead => ({
        environment,
        leadId,
        agentId: 7,
        seen: 4,
        isUnread: false,
        ...more
      })
      const rows = [row(1), row(2), row(1, { agentId: 8, seen: 9 }), row(3, { environment: other, isUnread: true })]
      yield* Effect.forEach(rows, store.saveRead)
      // No row is kept for a lead that does not exist.
      yield* store.saveRead(row(99))
      const reads = (where: string, agentId: number) =>
        Effect.map(store.reads(where, agentId, [3, 1, 2, 99]), (all) => all.toSorted((a, b) => a.leadId - b.leadId))
      assert.deepStrictEqual(yield* reads(environment, 7), [row(1), row(2)])
      assert.deepStrictEqual(yield* store.reads(environment, 7, [2]), [row(2)])
      assert.deepStrictEqual(yield* store.reads(environment, 7, []), [])
      yield* store.saveRead(row(1, { seen: 6, isUnread: true }))
      assert.deepStrictEqual(yield* reads(environment, 7), [row(1, { seen: 6, isUnread: true }), row(2)])
      assert.strictEqual(yield* store.forgetReads([environment], 7, 1), 1)
      assert.strictEqual(yield* store.forgetReads([environment], 7, 9), 1)
      assert.strictEqual(yield* store.forgetReads([environment], 7, 9), 0)
      assert.deepStrictEqual(yield* reads(environment, 7), [])
      assert.deepStrictEqual(yield* reads(environment, 8), [rows[2]!])
      assert.deepStrictEqual(yield* reads(other, 7), [rows[3]!])
      const race = yield* Race.together(20, (index) => store.saveRead(row(2, { agentId: 9, seen: index })))
      assert.deepStrictEqual([...race.failures, ...race.defects], [])
      assert.lengthOf(yield* reads(environment, 9), 1)
    })
  ),
  promise(
    "lists follow changes of time, owner, team and status",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const environment = fresh("env")
      let [one] = yield* saved([lead(environment, 1), lead(environment, 2, { lastMessageAt: noon + 5 })])
      const list = (filter: Partial<LeadStore.Filter>) =>
        Effect.map(store.page({ environment, ...filter }, { offset: 0, limit: 9 }), (found) =>
          found.map(({ id }) => id)
        )
      assert.deepStrictEqual(yield* list({}), [2, 1])
      const change = Effect.fnUntraced(function* (fields: Partial<Lead>) {
        one = (yield* commit({ leads: [{ ...one!, ...fields }] })).leads[0]
      })
      yield* change({ lastMessageAt: noon + 10 })
      assert.deepStrictEqual(yield* list({}), [1, 2])
      yield* change({ assignedTo: 3, teamId: 4, status: "CLOSED" })
      assert.deepStrictEqual(yield* list({ assignedTo: null }), [2])
      assert.deepStrictEqual(yield* list({ assignedTo: 3, teamId: 4, status: "CLOSED" }), [1])
      assert.deepStrictEqual(yield* list({ status: "OPEN" }), [2])
      yield* change({ assignedTo: null, teamId: 5 })
      assert.deepStrictEqual(yield* list({ assignedTo: 3 }), [])
      assert.deepStrictEqual(yield* list({ teamId: 4 }), [])
      assert.deepStrictEqual(yield* list({ teamId: 5, assignedTo: null }), [1])
      yield* change({ teamId: null, status: "OPEN", phone: null })
      assert.deepStrictEqual(yield* list({ teamId: 5 }), [])
      assert.deepStrictEqual(yield* list({}), [1, 2])
    })
  ),
  promise(
    "a name is found by the beginnings of its words in any order, and not by text inside a word",
    Effect.gen(function* () {
      const environment = fresh("env")
      yield* named(environment, [
        "Asha Rao",
        "asha-maria Raonika",
        "Prasha",
        "ASHA RAO ASHA",
        "Ａsha ﬁne",
        "राम कृष्ण",
        "रामायण",
        "Jose\u0301 A\u030angstro\u0308m",
        '100% _sure_ <b>bold</b> "quoted" O\'Brien; drop',
        "a b c d e f g h i j"
      ])
      yield* named(fresh("env"), ["Asha Rao"])
      assert.deepStrictEqual(yield* search(environment, "asha"), [1, 2, 4, 5])
      assert.deepStrictEqual(yield* search(environment, "RAO as"), [1, 2, 4])
      assert.deepStrictEqual(yield* search(environment, "raoni ash"), [2])
      assert.deepStrictEqual(yield* search(environment, "sha"), [])
      assert.deepStrictEqual(yield* search(environment, "asha nobody"), [])
      assert.deepStrictEqual(yield* search(environment, "fine"), [5])
      assert.deepStrictEqual(yield* search(environment, "राम"), [6, 7])
      assert.deepStrictEqual(yield* search(environment, "कृ राम"), [6])
      assert.deepStrictEqual(yield* search(environment, "josé ångs"), [8])
      assert.deepStrictEqual(yield* search(environment, "o brien"), [9])
      assert.deepStrictEqual(yield* search(environment, "h"), [10])
      for (const sign of ["%", "_", "<", "'", '"', "\\", " "]) {
        assert.deepStrictEqual(yield* search(environment, sign), [], sign)
        assert.deepStrictEqual(yield* search(environment, `as${sign}`), yield* search(environment, "as"), sign)
      }
      assert.deepStrictEqual(yield* search(environment, "100%"), [9])
      assert.deepStrictEqual(yield* search(environment, "10%sure"), [9])
      const store = yield* LeadStore
      for (const words of [["%"], ["_sha"], ["as%"], ["\u0000"], ["\ud800"], ["asha", "\u0000"], ["a'"], ["as ra"]]) {
        assert.deepStrictEqual(yield* store.search(environment, { words }, 9), [], JSON.stringify(words))
      }
    })
  ),
  promise(
    "a lead is found by its current name",
    Effect.gen(function* () {
      const environment = fresh("env")
      const [first] = yield* named(environment, ["Asha Rao", "Asha Kumar"])
      const [renamed] = (yield* commit({ leads: [{ ...first!, name: "Rao Meera" }] })).leads
      assert.deepStrictEqual(yield* search(environment, "asha"), [2])
      assert.deepStrictEqual(yield* search(environment, "meera rao"), [1])
      assert.deepStrictEqual(yield* search(environment, "rao me"), [1])
      assert.deepStrictEqual(yield* search(environment, "rao as"), [])
      const [nameless] = (yield* commit({ leads: [{ ...renamed!, name: null }] })).leads
      assert.deepStrictEqual(yield* search(environment, "rao"), [])
      yield* commit({ leads: [{ ...nameless!, name: "Asha Rao" }] })
      assert.deepStrictEqual(yield* search(environment, "rao asha"), [1])
    })
  ),
  promise(
    "a search stays within its limit and returns each lead once",
    Effect.gen(function* () {
      const environment = fresh("env")
      yield* named(
        environment,
        Array.from({ length: 60 }, (_, index) => `Ann Anna Annabel Anne ${index % 2 === 0 ? "Even" : "Odd"} ${index}`)
      )
      const all = yield* search(environment, "ann")
      assert.deepStrictEqual(
        all,
        Array.from({ length: 60 }, (_, index) => index + 1)
      )
      assert.strictEqual(new Set(yield* search(environment, "an", 60)).size, 60)
      assert.strictEqual(new Set(yield* search(environment, "an", 7)).size, 7)
      assert.strictEqual((yield* search(environment, "ann odd")).length, 30)
      assert.strictEqual(new Set(yield* search(environment, "odd anna", 8)).size, 8)
      assert.strictEqual((yield* searchEnd(environment, "", 9)).length, 9)
    })
  ),
  promise(
    "a number is found by its last digits",
    Effect.gen(function* () {
      const environment = fresh("env")
      yield* saved(
        ["919876543210", "919876500210", "12025550210", "44000", null].map((phone, index) =>
          lead(environment, index + 1, { phone })
        )
      )
      assert.deepStrictEqual(yield* searchEnd(environment, "210"), [1, 2, 3])
      assert.deepStrictEqual(yield* searchEnd(environment, "0210"), [2, 3])
      assert.deepStrictEqual(yield* searchEnd(environment, "919876543210"), [1])
      assert.deepStrictEqual(yield* searchEnd(environment, "0919876543210"), [])
      assert.deepStrictEqual(yield* searchEnd(environment, "9876"), [])
      assert.strictEqual((yield* searchEnd(environment, "0", 2)).length, 2)
      for (const sign of ["%", "_", "\u0000", "\ud800", "%10"]) {
        assert.deepStrictEqual(yield* searchEnd(environment, sign), [])
      }
      assert.deepStrictEqual(yield* searchEnd(fresh("env"), "210"), [])
    })
  )
]
