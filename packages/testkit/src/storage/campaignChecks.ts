import {
  type Campaign,
  CampaignStore,
  Conflict,
  noProgress,
  type Recipient,
  StoreError
} from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Race from "../Race.ts"
import { campaign, recipient } from "./campaignFixtures.ts"
import { event, fresh, noon } from "./fixtures.ts"
import { freshPhone } from "./leadFixtures.ts"
import { promise } from "./StorageCheck.ts"

type Person = Recipient.Recipient

const save = Effect.fnUntraced(function* (parts: Partial<CampaignStore.Parts>) {
  return yield* (yield* CampaignStore).commit(CampaignStore.change(parts))
})

/** A campaign with recipients, all saved. */
const made = Effect.fnUntraced(function* (people: number, fields: Partial<Campaign> = {}) {
  const store = yield* CampaignStore
  const one = campaign(fresh("env"), { total: people, ...fields })
  const rows = Array.from({ length: people }, (_, i) => recipient(one, i + 1))
  yield* store.addRecipients(rows)
  const { campaign: stored } = yield* save({ campaign: one })
  return { stored: stored!, rows: rows.map((row) => ({ ...row, version: 1 })) }
})

const numbers = (rows: ReadonlyArray<Person>) => rows.map(({ number }) => number)

const awkward = ["", "%_'\"\\", "\u0000", "\ud800", "\u{1f469}\u200d\u{1f680}", "x".repeat(20_000)]
const absent = ["", "\u0000", "\ud800", "%"]

export const campaignChecks = [
  promise(
    "a campaign and its recipients are stored exactly, and only in their environment",
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const { rows, stored } = yield* made(3, { problem: "nothing", pausedFor: "MONEY", status: "PAUSED" })
      const { environment, id } = stored
      assert.deepStrictEqual(yield* store.get(environment, id), stored)
      assert.strictEqual(stored.version, 1)
      assert.deepStrictEqual(yield* store.list(environment, { before: null, limit: 9 }), [stored])
      const page = { status: null, after: 0, limit: 9 }
      assert.deepStrictEqual(yield* store.recipients(environment, id, page), rows)
      assert.deepStrictEqual(yield* store.recipient(environment, id, 2), rows[1])
      const priced: Person = {
        ...rows[1]!,
        status: "SENT",
        handedAt: noon + 1,
        tries: 1,
        price: { amount: 70, day: "2025-06-01", cap: null },
        carrier: "first",
        providerId: fresh("wamid"),
        providerCode: null
      }
      yield* save({ recipients: [priced] })
      assert.deepStrictEqual(yield* store.recipient(environment, id, 2), { ...priced, version: 2 })
      const other = fresh("env")
      assert.isNull(yield* store.get(other, id))
      assert.isNull(yield* store.recipient(other, id, 1))
      assert.deepStrictEqual(yield* store.recipients(other, id, page), [])
      assert.deepStrictEqual(yield* store.list(other, { before: null, limit: 9 }), [])
      for (const text of absent) {
        assert.isNull(yield* store.get(text, id))
        assert.isNull(yield* store.get(environment, text))
        assert.isNull(yield* store.recipient(environment, text, 1))
        assert.deepStrictEqual(yield* store.recipients(environment, text, page), [])
        assert.deepStrictEqual(yield* store.open(text, id, { handed: false, after: 0, limit: 9 }), [])
        assert.deepStrictEqual(yield* store.progress(environment, text), noProgress)
        assert.deepStrictEqual(yield* store.ofPerson(environment, text, { after: null, limit: 9 }), [])
        assert.deepStrictEqual(yield* store.campaignsOf(environment, [text]), new Map())
      }
      for (const number of [-1, 0, 1.5, 4, 2 ** 31]) assert.isNull(yield* store.recipient(environment, id, number))
    })
  ),
  promise(
    "recipients that are added twice are stored once, as first added",
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const { rows, stored } = yield* made(2)
      const { environment, id } = stored
      const [first] = (yield* save({ recipients: [{ ...rows[0]!, status: "SENT", handedAt: noon }] })).recipients
      const again = [1, 2, 3].map((number) => recipient(stored, number))
      const race = yield* Race.together(5, () => store.addRecipients(again))
      assert.strictEqual(race.successes.length, 5)
      assert.deepStrictEqual(yield* store.recipients(environment, id, { status: null, after: 0, limit: 9 }), [
        first!,
        rows[1]!,
        { ...again[2]!, version: 1 }
      ])
      yield* store.addRecipients([])
    })
  ),
  promise(
    "when 50 writers change a campaign or a recipient concurrently, one succeeds and the others write nothing",
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const { rows, stored } = yield* made(2)
      const { environment, id } = stored
      const race = yield* Race.together(50, (index) =>
        save({
          campaign: { ...stored, name: `Diwali ${index}` },
          recipients: [{ ...rows[0]!, status: "SENT", providerId: `wamid ${index}` }]
        })
      )
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      assert.deepStrictEqual(yield* store.get(environment, id), race.successes[0]?.campaign ?? null)
      assert.deepStrictEqual(yield* store.recipient(environment, id, 1), race.successes[0]?.recipients[0] ?? null)
      const late = yield* Effect.flip(
        (yield* CampaignStore).commit(
          CampaignStore.change({
            recipients: [rows[0]!, { ...rows[1]!, status: "SENT" }],
            events: [event(environment)]
          })
        )
      )
      assert.instanceOf(late, Conflict)
      assert.deepStrictEqual(yield* store.recipient(environment, id, 2), rows[1])
      assert.instanceOf(yield* Effect.flip(save({ campaign: { ...stored, version: 0 } })), Conflict)
      assert.instanceOf(yield* Effect.flip(save({ recipients: [{ ...rows[1]!, version: 0 }] })), Conflict)
    })
  ),
  promise(
    "hundreds of concurrent changes to recipients of a campaign do not wait for its row or for each other",
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const { rows, stored } = yield* made(300)
      const race = yield* Race.together(600, (index) =>
        index < 300
          ? save({ recipients: [{ ...rows[index]!, status: "DELIVERED" }] })
          : save({ recipients: [{ ...rows[index - 300]!, status: "FAILED" }] })
      )
      assert.strictEqual(race.successes.length, 300)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      const { DELIVERED, FAILED } = yield* store.progress(stored.environment, stored.id)
      assert.strictEqual(DELIVERED + FAILED, 300)
      assert.deepStrictEqual(yield* store.get(stored.environment, stored.id), stored)
    })
  ),
  promise(
    "a campaign's counts equal a count over its recipients after repeats, races, revivals and deletion",
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const { rows, stored } = yield* made(40)
      const { stored: other } = yield* made(3)
      const { environment, id } = stored
      const areRight = Effect.fnUntraced(function* () {
        const kept = yield* store.recipients(environment, id, { status: null, after: 0, limit: 99 })
        const counted = { ...noProgress }
        for (const { status } of kept) Object.assign(counted, { [status]: counted[status] + 1 })
        assert.deepStrictEqual(yield* store.progress(environment, id), counted)
        return kept
      })
      yield* Race.together(5, () => store.addRecipients(rows))
      yield* areRight()
      const statuses = ["SENT", "FAILED", "DELIVERED", "SKIPPED", "READ"] as const
      // Two callers change each recipient concurrently, and the changes overlap.
      yield* Race.together(80, (index) =>
        save({
          recipients: [index % 40, (index + 1) % 40].map((place) => ({
            ...rows[place]!,
            status: statuses[index % 5]!
          }))
        })
      )
      const changed = yield* areRight()
      const failed = changed.filter(({ status }) => status !== "SENT")
      yield* Race.together(failed.length, (index) => save({ recipients: [{ ...failed[index]!, status: "SENT" }] }))
      assert.strictEqual((yield* store.progress(environment, id)).SENT, 40)
      yield* areRight()
      const unchanged = yield* store.recipients(environment, id, { status: null, after: 0, limit: 99 })
      yield* save({ recipients: unchanged.map((row) => ({ ...row, providerCode: "the same status" })) })
      yield* areRight()
      yield* save({ campaign: { ...stored, counts: noProgress } })
      while ((yield* store.forget(noon, 7)) > 0) yield* Effect.yieldNow
      assert.deepStrictEqual(yield* store.progress(environment, id), noProgress)
      assert.deepStrictEqual(yield* store.progress(other.environment, other.id), { ...noProgress, PENDING: 3 })
    })
  ),
  promise(
    "unfinished campaigns of an environment are counted, with their waiting recipients and all recipients without a message",
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const environment = fresh("env")
      assert.deepStrictEqual(yield* store.room(environment), { campaigns: 0, waiting: 0, unwritten: 0 })
      assert.deepStrictEqual(yield* store.room("\u0000"), { campaigns: 0, waiting: 0, unwritten: 0 })
      const fields = [
        { status: "SCHEDULED" },
        { status: "PAUSED" },
        { status: "CANCELLED", finishedAt: noon },
        { status: "DONE", finishedAt: noon, counts: noProgress }
      ] as const
      const statuses = ["SENT", "PENDING", "SKIPPED"] as const
      for (const each of fields) {
        const one = campaign(environment, { ...each, total: 3 })
        const rows = statuses.map((status, at) => recipient(one, at + 1, { status }))
        yield* store.addRecipients(rows)
        yield* save({ campaign: one })
      }
      yield* made(5)
      assert.deepStrictEqual(yield* store.room(environment), { campaigns: 2, waiting: 2, unwritten: 6 })
    })
  ),
  promise(
    "unsent recipients, and recipients with an unknown outcome, come by number, a page at a time",
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const { rows, stored } = yield* made(7)
      const { environment, id } = stored
      const at = (number: number, fields: Partial<Person>) => ({ ...rows[number - 1]!, ...fields })
      yield* save({
        recipients: [
          at(1, { status: "SENT", handedAt: noon }),
          at(3, { handedAt: noon }),
          at(4, { handedAt: noon + 5 }),
          at(6, { status: "SKIPPED" })
        ]
      })
      const open = (handed: boolean, after: number, limit: number) =>
        Effect.map(store.open(environment, id, { handed, after, limit }), numbers)
      assert.deepStrictEqual(yield* open(false, 0, 2), [2, 5])
      assert.deepStrictEqual(yield* open(false, 5, 2), [7])
      assert.deepStrictEqual(yield* open(false, 7, 2), [])
      assert.deepStrictEqual(yield* open(true, 0, 9), [3, 4])
      assert.deepStrictEqual(yield* open(true, 3, 9), [4])
      const of = (status: Person["status"] | null, after: number, limit: number) =>
        Effect.map(store.recipients(environment, id, { status, after, limit }), numbers)
      assert.deepStrictEqual(yield* of(null, 0, 3), [1, 2, 3])
      assert.deepStrictEqual(yield* of(null, 3, 9), [4, 5, 6, 7])
      assert.deepStrictEqual(yield* of("PENDING", 2, 3), [3, 4, 5])
      assert.deepStrictEqual(yield* of("SKIPPED", 0, 9), [6])
      assert.deepStrictEqual(yield* store.progress(environment, id), {
        ...noProgress,
        PENDING: 5,
        SENT: 1,
        SKIPPED: 1
      })
    })
  ),
  promise(
    "a missing answer counts as a failure only after a later message was delivered",
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const { rows } = yield* made(4)
      const at = (number: number, fields: Partial<Person>) => ({ ...rows[number - 1]!, ...fields })
      const { recipients } = yield* save({
        recipients: [
          at(1, { status: "FAILED", handedAt: noon + 9 }),
          at(2, { handedAt: noon + 5 }),
          at(3, { status: "SENT", handedAt: noon + 5 }),
          at(4, { status: "READ", handedAt: noon + 4 })
        ]
      })
      const heard = () => store.isHeardOf(recipients[1]!)
      assert.isFalse(yield* heard())
      yield* save({ recipients: [{ ...recipients[2]!, status: "DELIVERED" }] })
      assert.isTrue(yield* heard())
      assert.isFalse(yield* store.isHeardOf({ ...recipients[1]!, environment: fresh("env") }))
    })
  ),
  promise(
    "campaigns are found by the provider's message ids, and recipients by their number",
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const { rows, stored } = yield* made(3)
      const { environment, id } = stored
      const phone = `+${freshPhone()}`
      const names = [fresh("wamid"), fresh("wamid")]
      yield* save({
        recipients: [
          { ...rows[0]!, phone, providerId: names[0]! },
          { ...rows[2]!, phone, providerId: names[1]! }
        ]
      })
      const second = campaign(environment)
      yield* store.addRecipients([recipient(second, 1, { phone }), recipient(campaign(fresh("env")), 1, { phone })])
      assert.deepStrictEqual(
        yield* store.campaignsOf(environment, [...names, fresh("wamid")]),
        new Map(names.map((name) => [name, id]))
      )
      assert.deepStrictEqual(yield* store.campaignsOf(fresh("env"), names), new Map())
      assert.deepStrictEqual(yield* store.campaignsOf(environment, []), new Map())
      const ofPerson = (after: { readonly campaignId: string; readonly number: number } | null, limit: number) =>
        Effect.map(store.ofPerson(environment, phone, { after, limit }), (found) =>
          found.map(({ campaignId, number }) => ({ campaignId, number }))
        )
      const all = [
        { campaignId: id, number: 1 },
        { campaignId: id, number: 3 },
        { campaignId: second.id, number: 1 }
      ].sort((a, b) => (a.campaignId === b.campaignId ? a.number - b.number : a.campaignId < b.campaignId ? -1 : 1))
      assert.deepStrictEqual(yield* ofPerson(null, 9), all)
      assert.deepStrictEqual(yield* ofPerson(all[0]!, 1), [all[1]])
      assert.deepStrictEqual(yield* ofPerson(all[2]!, 9), [])
    })
  ),
  promise(
    "when 20 requests share an idempotency key, one creates a campaign and the key finds it",
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const environment = fresh("env")
      const command = fresh("key")
      assert.isNull(yield* store.made(environment, command))
      const race = yield* Race.together(20, () => save({ campaign: campaign(environment, { command }) }))
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      const one = race.successes[0]!.campaign!
      assert.deepStrictEqual(yield* store.made(environment, command), one)
      assert.deepStrictEqual(yield* store.list(environment, { before: null, limit: 9 }), [one])
      assert.instanceOf(yield* Effect.flip(save({ campaign: campaign(environment, { command }) })), Conflict)
      yield* save({ campaign: { ...one, name: "Holi" } })
      yield* save({ campaign: campaign(fresh("env"), { command }) })
      for (const text of absent) assert.isNull(yield* store.made(environment, text))
    })
  ),
  promise(
    "campaigns come newest first, a page at a time",
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const environment = fresh("env")
      const all = yield* Effect.forEach([1, 2, 3, 4], () =>
        Effect.map(save({ campaign: campaign(environment) }), (stored) => stored.campaign!)
      )
      const newest = all.toSorted((a, b) => (a.id < b.id ? 1 : -1))
      const list = (before: string | null, limit: number) => store.list(environment, { before, limit })
      assert.deepStrictEqual(yield* list(null, 3), newest.slice(0, 3))
      assert.deepStrictEqual(yield* list(newest[2]!.id, 3), newest.slice(3))
    })
  ),
  promise(
    "recipients are deleted once their campaign is counted or was not created in time, and all others stay",
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const { stored: kept } = yield* made(2)
      const { stored: old } = yield* made(3, { status: "DONE", finishedAt: noon })
      const orphan = campaign(fresh("env"))
      yield* store.addRecipients([recipient(orphan, 1)])
      const mine = new Set([kept.id, old.id])
      const uncounted = Effect.map(store.uncounted(noon + 1, 10_000), (found) => found.filter(({ id }) => mine.has(id)))
      assert.deepStrictEqual(yield* uncounted, [old])
      assert.isFalse((yield* store.uncounted(noon, 10_000)).some(({ id }) => mine.has(id)))
      const forgetAll = Effect.fnUntraced(function* (before: number) {
        while ((yield* store.forget(before, 2)) > 0) yield* Effect.yieldNow
      })
      const left = ({ environment, id }: Campaign) =>
        Effect.map(store.recipients(environment, id, { status: null, after: 0, limit: 9 }), (rows) => rows.length)
      yield* forgetAll(noon)
      assert.deepStrictEqual(yield* Effect.forEach([kept, old, orphan], left), [2, 3, 1])
      yield* save({ campaign: { ...old, counts: yield* store.progress(old.environment, old.id) } })
      assert.deepStrictEqual(yield* uncounted, [])
      yield* forgetAll(noon + 1)
      assert.deepStrictEqual(yield* Effect.forEach([kept, old, orphan], left), [2, 0, 0])
      assert.deepStrictEqual((yield* store.get(old.environment, old.id))?.counts, { ...noProgress, PENDING: 3 })
    })
  ),
  promise(
    "texts of people and merchants in a campaign are stored exactly, or refused",
    Effect.forEach(awkward, (text) =>
      Effect.gen(function* () {
        const store = yield* CampaignStore
        const one = campaign(fresh("env"), { name: text, problem: text })
        const row = recipient(one, 1, { values: [text, text], providerCode: text })
        const exit = yield* Effect.exit(Effect.andThen(store.addRecipients([row]), save({ campaign: one })))
        if (Exit.isFailure(exit)) assert.instanceOf(yield* Effect.flip(exit), StoreError)
        const isKept = Exit.isSuccess(exit)
        assert.deepStrictEqual(yield* store.get(one.environment, one.id), isKept ? { ...one, version: 1 } : null)
        assert.deepStrictEqual(
          yield* store.recipient(one.environment, one.id, 1),
          isKept ? { ...row, version: 1 } : null
        )
      })
    )
  )
]
