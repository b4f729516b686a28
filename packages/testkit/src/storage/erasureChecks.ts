import { Identifier } from "@countersign/core"
import {
  AttributionStore,
  Conflict,
  Erasure,
  ErasureStore,
  EventStore,
  FactStore,
  IdempotencyStore,
  JobStore,
  LeadStore,
  noRecords,
  OutboxStore,
  Subject,
  VerificationStore,
  WebhookStore
} from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { touch } from "./attributionFixtures.ts"
import {
  change,
  claimFree,
  device,
  event,
  fact,
  fresh,
  freshKind,
  guesses,
  job,
  noon,
  verification,
  webhook,
  webhookAttempt
} from "./fixtures.ts"
import { commit as commitLeads, entry, lead, message } from "./leadFixtures.ts"
import { promise } from "./StorageCheck.ts"

export const erasure = (environment: string, fields: Partial<Erasure.Erasure> = {}): Erasure.Erasure => ({
  environment,
  id: Identifier.make("ers", noon),
  version: 0,
  person: fresh("person"),
  startedAt: noon,
  finishedAt: null,
  removed: Erasure.nothingRemoved,
  phase: "VERIFICATIONS",
  cursor: null,
  sealed: "sealed",
  ...fields
})

const commit = Effect.fnUntraced(function* (environment: string, parts: Partial<ErasureStore.Change>) {
  return yield* (yield* ErasureStore).commit(ErasureStore.change(environment, parts))
})

/** A person with a verification that two references lead to, and with two devices of which one is removed. */
const newPerson = Effect.fnUntraced(function* (environment: string) {
  const store = yield* VerificationStore
  const empty = Subject.empty(environment, fresh("91"))
  const [made, order, earlier] = [verification(empty), fresh("order"), fresh("order")]
  const devices = [device(), device()]
  let { subject } = yield* store.commit(change(empty, { verification: made, orderId: earlier, deviceId: devices[0]! }))
  ;({ subject } = yield* store.commit(change(subject, { verification: made, orderId: order, deviceId: devices[1]! })))
  return { subject, made, orderIds: [earlier, order], devices }
})

/** Everything that storage finds of a person, by every key. */
const found = Effect.fnUntraced(function* (
  environment: string,
  { devices, made, orderIds, subject }: Effect.Success<ReturnType<typeof newPerson>>
) {
  const store = yield* VerificationStore
  return {
    subject: (yield* store.subject(environment, subject.canonical)).version,
    verification: (yield* store.find(environment, made.id)) !== null,
    loads: (yield* store.load(environment, made.id)) !== null,
    orders: yield* Effect.forEach(orderIds, (id) => store.findIdByOrder(environment, id)),
    devices: yield* Effect.forEach(devices, (id) => store.findByDevice(environment, id))
  }
})

const noTrace = { subject: 0, verification: false, loads: false, orders: [null, null], devices: [null, null] }

const countVerified = (environment: string, id: string) =>
  Effect.gen(function* () {
    const store = yield* AttributionStore
    const counted = (at: string) => touch(environment, { kind: "VERIFICATION", id: at, launchId: null })
    yield* store.commit(AttributionStore.change({ touches: [counted(id)] }))
    const facts = [fact(environment, { kind: "launch.verified", key: id })]
    yield* (yield* OutboxStore).append({ ...noRecords, facts })
  })

const countedOf = Effect.fnUntraced(function* (environment: string) {
  const [sum] = yield* (yield* AttributionStore).sums({
    environment,
    model: "last",
    days: [noon - 1],
    until: noon + 1,
    after: null,
    limit: 10
  })
  const facts = yield* (yield* FactStore).list({ environment, kind: "launch.verified", after: null, limit: 10 })
  return { touches: sum?.verifications ?? 0, leads: sum?.leads ?? 0, facts: facts.length }
})

const events = Effect.fnUntraced(function* (environment: string) {
  return yield* (yield* EventStore).list({ environment, type: null, after: null, limit: 100 })
})

/** A conversation's messages, followed by its reactions and edits. */
const messagesOf = Effect.fnUntraced(function* (environment: string, id: number) {
  const messages = yield* (yield* LeadStore).messages({ environment, id }, null, 10)
  return [...messages, ...(yield* (yield* ErasureStore).amending(environment, id, null, 10))]
})

export const erasureChecks = [
  promise(
    "an erasure is stored at its version, and found only in its environment",
    Effect.gen(function* () {
      const store = yield* ErasureStore
      const environment = fresh("env")
      const made = erasure(environment)
      assert.deepStrictEqual(yield* commit(environment, { erasure: made }), { ...made, version: 1 })
      assert.deepStrictEqual(yield* store.get(environment, made.id), { ...made, version: 1 })
      assert.isNull(yield* store.get(fresh("env"), made.id))
      const next = { ...made, version: 1, phase: "EVENTS", cursor: "evt_1", sealed: null } as const
      assert.deepStrictEqual(yield* commit(environment, { erasure: next }), { ...next, version: 2 })
      assert.deepStrictEqual(yield* store.get(environment, made.id), { ...next, version: 2 })
      assert.instanceOf(yield* Effect.flip(commit(environment, { erasure: next })), Conflict)
    })
  ),
  promise(
    "erasing a person removes their verifications, references and devices, and leaves other people's",
    Effect.gen(function* () {
      const environment = fresh("env")
      const [one, other] = [yield* newPerson(environment), yield* newPerson(environment)]
      const before = yield* found(environment, other)
      yield* countVerified(environment, one.made.id)
      yield* countVerified(environment, other.made.id)
      yield* commit(environment, {
        people: [{ subject: one.subject, becomes: "gone", devices: "gone" }],
        verifications: [{ id: one.made.id, orderIds: one.orderIds }]
      })
      assert.deepStrictEqual(yield* found(environment, one), noTrace)
      assert.deepStrictEqual(yield* found(environment, other), before)
      assert.deepStrictEqual(yield* countedOf(environment), { touches: 1, leads: 0, facts: 1 })
    })
  ),
  promise(
    "a reference that now leads to another person stays",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const environment = fresh("env")
      const [one, other] = [yield* newPerson(environment), yield* newPerson(environment)]
      const order = one.orderIds[0]!
      yield* store.commit(change(other.subject, { verification: other.made, orderId: order }))
      yield* commit(environment, {
        people: [{ subject: one.subject, becomes: "kept", devices: "kept" }],
        verifications: [{ id: one.made.id, orderIds: one.orderIds }]
      })
      assert.strictEqual(yield* store.findIdByOrder(environment, order), other.made.id)
      assert.isNull(yield* store.findIdByOrder(environment, one.orderIds[1]!))
    })
  ),
  promise(
    "a change decided before a verification was erased brings nothing back",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const environment = fresh("env")
      for (const becomes of ["kept", "gone"] as const) {
        const one = yield* newPerson(environment)
        const late = change(one.subject, { verification: { ...one.made, attempts: 1 }, orderId: one.orderIds[0]! })
        const left = { ...one.subject, guesses: guesses(2) }
        yield* commit(environment, {
          people: [{ subject: left, becomes, devices: "gone" }],
          verifications: [{ id: one.made.id, orderIds: one.orderIds }]
        })
        assert.instanceOf(yield* Effect.flip(store.commit(late)), Conflict)
        assert.isNull(yield* store.find(environment, one.made.id))
        assert.isNull(yield* store.findIdByOrder(environment, one.orderIds[0]!))
        const { guesses: kept, version } = yield* store.subject(environment, one.subject.canonical)
        assert.deepStrictEqual(
          [kept, version],
          becomes === "kept" ? [guesses(2), 3] : [Subject.empty("", "").guesses, 0]
        )
      }
    })
  ),
  promise(
    "limits of an erased person are kept under another name, and a new row of theirs starts above that version",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const environment = fresh("env")
      const [one, other] = [yield* newPerson(environment), yield* newPerson(environment)]
      const { canonical, version } = one.subject
      assert.isUndefined((yield* store.subject(environment, fresh("nobody"))).mayBeErased)
      const kept = { ...one.subject, canonical: `#${fresh("hash")}`, live: [], guesses: guesses(2) }
      const hide = (subject: Subject.Subject, to: Subject.Subject) =>
        commit(environment, {
          people: [
            { subject, becomes: "gone", devices: "gone" },
            { subject: { ...to, version: subject.version }, becomes: "made", devices: "kept" }
          ]
        })
      const late = change(one.subject)
      yield* hide(one.subject, kept)
      assert.deepStrictEqual(yield* store.subject(environment, canonical), {
        ...Subject.empty(environment, canonical),
        mayBeErased: true
      })
      assert.deepStrictEqual(yield* store.subject(environment, kept.canonical), { ...kept, version: version + 1 })
      assert.isUndefined((yield* store.subject(fresh("env"), canonical)).mayBeErased)
      assert.isUndefined((yield* store.subject(environment, other.subject.canonical)).mayBeErased)

      const again: Subject.Subject = { ...one.subject, live: [], version: -(version + 1), mayBeErased: true }
      assert.instanceOf(yield* Effect.flip(store.commit(late)), Conflict)
      const race = yield* Race.together(8, () => store.commit(change(again)))
      assert.strictEqual(race.successes.length, 1)
      assert.strictEqual(race.successes[0]?.subject.version, version + 2)
      assert.instanceOf(yield* Effect.flip(store.commit(late)), Conflict)
      const back = yield* store.subject(environment, canonical)
      assert.strictEqual(back.version, version + 2)
      assert.isUndefined(back.mayBeErased)

      // After a second erasure, the latest counts are kept, at a higher version.
      yield* hide(back, { ...kept, guesses: guesses(3) })
      const last = yield* store.subject(environment, kept.canonical)
      assert.deepStrictEqual([last.guesses, last.version], [guesses(3), version + 3])
      yield* commit(environment, { people: [{ subject: last, becomes: "gone", devices: "kept" }] })
      assert.strictEqual((yield* store.subject(environment, kept.canonical)).version, 0)
    })
  ),
  promise(
    "erasures are found by their start time, only in their environment",
    Effect.gen(function* () {
      const store = yield* ErasureStore
      const environment = fresh("env")
      const begin = (of: string, startedAt: number) =>
        Effect.gen(function* () {
          const made: Erasure.Erasure = { ...erasure(of), id: Identifier.make("ers", startedAt), startedAt }
          yield* commit(of, { erasure: made })
          return made.id
        })
      yield* begin(environment, noon - 1)
      const ids = [yield* begin(environment, noon), yield* begin(environment, noon + 5)]
      yield* begin(fresh("env"), noon + 5)
      const since = yield* store.since(environment, noon)
      assert.sameDeepMembers(
        since.map(({ id, startedAt, version }) => [id, startedAt, version]),
        [
          [ids[0], noon, 1],
          [ids[1], noon + 5, 1]
        ]
      )
      assert.deepStrictEqual(yield* store.since(environment, noon + 6), [])
    })
  ),
  promise(
    "an erasure step that lost a race changes nothing",
    Effect.gen(function* () {
      const environment = fresh("env")
      const [one, two] = [yield* newPerson(environment), yield* newPerson(environment)]
      const [before, alike] = [yield* found(environment, one), yield* found(environment, two)]
      const said = event(environment)
      yield* (yield* OutboxStore).append({ ...noRecords, events: [said] })
      const made = erasure(environment)
      yield* commitLeads({ leads: [lead(environment, 1)], messages: [message(environment, 1)] })
      const [kept] = yield* messagesOf(environment, 1)
      const one_ = { subject: one.subject, becomes: "gone", devices: "gone" } as const
      const late = { ...one_, subject: { ...two.subject, version: 1 } }
      const parts = {
        verifications: [{ id: one.made.id, orderIds: one.orderIds }],
        silenced: [{ ...said, data: { gone: true } } as never],
        messages: [kept!]
      }
      const stale = { ...lead(environment, 1), version: 7 }
      for (const lost of [
        { ...parts, people: [one_, late] },
        { ...parts, people: [one_], erasure: { ...made, version: 3 } },
        { ...parts, people: [one_], lead: { lead: stale, becomes: "gone" as const } },
        { ...parts, people: [one_], messages: [{ ...kept!, version: 2 }] }
      ]) {
        assert.instanceOf(yield* Effect.flip(commit(environment, lost)), Conflict)
      }
      assert.deepStrictEqual(yield* found(environment, one), before)
      assert.deepStrictEqual(yield* found(environment, two), alike)
      assert.deepStrictEqual(yield* events(environment), [said])
      assert.lengthOf(yield* messagesOf(environment, 1), 1)
    })
  ),
  promise(
    "when 50 steps run at one version of a person, one succeeds",
    Effect.gen(function* () {
      const environment = fresh("env")
      const one = yield* newPerson(environment)
      const exits = yield* Effect.forEach(
        Array.from({ length: 50 }),
        () =>
          Effect.exit(
            commit(environment, {
              erasure: erasure(environment),
              people: [{ subject: one.subject, becomes: "gone", devices: "gone" }],
              verifications: [{ id: one.made.id, orderIds: one.orderIds }]
            })
          ),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        exits.filter(({ _tag }) => _tag === "Success"),
        1
      )
    })
  ),
  promise(
    "erasing a conversation removes its messages, their reactions and edits, its history, its words and its counts",
    Effect.gen(function* () {
      const leads = yield* LeadStore
      const environment = fresh("env")
      const { leads: stored } = yield* commitLeads({
        leads: [lead(environment, 1, { name: "Asha Rao" }), lead(environment, 2, { name: "Asha Rao" })],
        messages: [
          message(environment, 1),
          message(environment, 1, { kind: "REACTION", about: "wamid" }),
          message(environment, 1, { kind: "SYSTEM" }),
          message(environment, 2)
        ],
        entries: [entry(lead(environment, 1), 1), entry(lead(environment, 2), 1)]
      })
      const touches = [1, 2].map((id) => touch(environment, { kind: "LEAD", id: String(id), launchId: null }))
      yield* (yield* AttributionStore).commit(AttributionStore.change({ touches }))
      const one = stored.find(({ id }) => id === 1)!
      const rows = yield* messagesOf(environment, 1)
      assert.deepStrictEqual(rows.map(({ kind }) => kind).toSorted(), ["MESSAGE", "REACTION", "SYSTEM"])
      for (const leadId of [1, 2]) yield* leads.saveRead({ environment, leadId, agentId: 5, seen: 1, isUnread: false })
      yield* commit(environment, { lead: { lead: one, becomes: "kept" }, messages: rows.slice(0, 1) })
      const moved = (yield* leads.get(environment, 1))!
      assert.deepStrictEqual(moved, { ...one, version: 2 })
      yield* commit(environment, { lead: { lead: moved, becomes: "gone" }, messages: rows.slice(1) })
      assert.isNull(yield* leads.get(environment, 1))
      assert.lengthOf(yield* messagesOf(environment, 1), 0)
      assert.lengthOf(yield* leads.history(one, null, 10), 0)
      const reads = yield* leads.reads(environment, 5, [1, 2])
      assert.deepStrictEqual(
        reads.map(({ leadId }) => leadId),
        [2]
      )
      const left = yield* leads.search(environment, { words: ["asha"] }, 10)
      assert.deepStrictEqual(
        left.map(({ id }) => id),
        [2]
      )
      assert.lengthOf(yield* leads.history({ environment, id: 2 }, null, 10), 1)
      assert.lengthOf(yield* messagesOf(environment, 2), 1)
      assert.strictEqual((yield* countedOf(environment)).leads, 1)
      assert.isNull((yield* leads.known(environment, { phone: one.phone, userId: null }, [])).lead)
    })
  ),
  promise(
    "rows without a lead are listed by id, page by page",
    Effect.gen(function* () {
      const store = yield* ErasureStore
      const environment = fresh("env")
      const reaction = () => message(environment, null, { kind: "REACTION", about: fresh("wamid") })
      const strays = [reaction(), reaction(), reaction()]
      yield* commitLeads({ leads: [lead(environment, 1)], messages: [...strays, message(environment, 1)] })
      const ids = strays.map(({ id }) => id).toSorted()
      const first = yield* store.amending(environment, null, null, 2)
      const rest = yield* store.amending(environment, null, first[1]!.id, 2)
      assert.deepStrictEqual(
        [...first, ...rest].map(({ id }) => id),
        ids
      )
      yield* commit(environment, { messages: first })
      assert.lengthOf(yield* store.amending(environment, null, null, 10), 1)
    })
  ),
  promise(
    "reduced events keep their position, and their delivery log loses the responses",
    Effect.gen(function* () {
      const environment = fresh("env")
      const webhooks = yield* WebhookStore
      const [one, other] = [event(environment), event(environment)]
      yield* (yield* OutboxStore).append({ ...noRecords, events: [one, other] })
      const hook = yield* webhooks.commit(WebhookStore.change(webhook(environment)))
      const tried = [one, other].map(({ id }) => ({
        ...webhookAttempt(hook),
        eventId: id,
        responseBody: "you sent",
        error: "late"
      }))
      for (const attempt of tried) yield* webhooks.record(WebhookStore.attemptChange(attempt, null))
      const left = { ...one, data: { less: true } } as never
      const missing = { ...event(environment), data: { back: true } } as never
      yield* commit(environment, { silenced: [left, missing] })
      assert.deepStrictEqual(
        (yield* events(environment)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        [left, other].toSorted((a: typeof other, b) => (a.id < b.id ? -1 : 1))
      )
      const log = yield* Effect.forEach(tried, ({ id }) => webhooks.attempt(environment, id))
      assert.deepStrictEqual(log, [{ ...tried[0]!, responseBody: null, error: null }, tried[1]!])
    })
  ),
  promise(
    "stored answers are listed by endpoint and key, and can be deleted",
    Effect.gen(function* () {
      const store = yield* ErasureStore
      const idempotency = yield* IdempotencyStore
      const environment = fresh("env")
      const scopes = [
        ["POST /a", "2"],
        ["POST /b", "1"],
        ["POST /a", "1"]
      ].map(([endpoint, key]) => ({ environment, endpoint: endpoint!, key: key! }))
      for (const [n, scope] of scopes.entries()) {
        yield* idempotency.begin({
          scope,
          fingerprint: "f",
          holder: "h",
          now: noon,
          leasedUntil: noon + 1,
          keptSince: noon - 1
        })
        if (n < 2) yield* idempotency.finish(scope, "h", { status: 200, body: `sealed ${n}` })
      }
      const first = yield* store.answers(environment, null, 2)
      const rest = yield* store.answers(environment, first[1]!, 2)
      assert.deepStrictEqual(
        [...first, ...rest],
        [
          { endpoint: "POST /a", key: "1", body: null },
          { endpoint: "POST /a", key: "2", body: "sealed 0" },
          { endpoint: "POST /b", key: "1", body: "sealed 1" }
        ]
      )
      yield* commit(environment, { answers: [first[1]!] })
      assert.isFalse(yield* idempotency.holds(scopes[0]!, noon - 1))
      assert.isTrue(yield* idempotency.holds(scopes[1]!, noon - 1))
    })
  ),
  promise(
    "obsolete jobs are cancelled in their environment, even while a worker holds them",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const [held, waiting, foreign, other] = [
        job(environment, { kind }),
        job(environment, { kind, runAt: noon + 1 }),
        job(fresh("env"), { kind, runAt: noon + 1 }),
        job(environment, { kind, runAt: noon + 1 })
      ]
      yield* (yield* OutboxStore).append({ ...noRecords, jobs: [held, waiting, foreign, other] })
      const [claimed] = yield* claimFree(kind, { lease: 60_000 })
      yield* commit(environment, { cancelled: [held.key, waiting.key, foreign.key] })
      assert.isFalse(yield* (yield* JobStore).complete(claimed!))
      const left = yield* claimFree(kind, { now: noon + 1 })
      assert.deepStrictEqual(left.map(({ key }) => key).toSorted(), [foreign.key, other.key].toSorted())
    })
  ),
  promise(
    "old verifications and their environments are found by age, and only old events and delivery attempts are deleted",
    Effect.gen(function* () {
      const store = yield* ErasureStore
      const people = yield* VerificationStore
      const webhooks = yield* WebhookStore
      const environment = fresh("env")
      const subject = Subject.empty(environment, fresh("91"))
      const day = 86_400_000
      const aged = <P extends Identifier.Prefix>(prefix: P, days: number) => Identifier.make(prefix, noon - days * day)
      const old = [3, 2].map((days) => verification(subject, { id: aged("ver", days), orderId: `order ${days}` }))
      const young = verification(subject, { id: aged("ver", 0) })
      let stored = subject
      for (const made of [...old, young]) {
        ;({ subject: stored } = yield* people.commit(change(stored, { verification: made })))
      }
      const first = yield* store.old(environment, noon - day, null, 1)
      const rest = yield* store.old(environment, noon - day, first[0]!.id, 5)
      const expected = old.map(({ id, orderId }) => ({ id, orderIds: [orderId!] }))
      assert.deepStrictEqual([...first, ...rest], expected)
      const said = [4, 3, 0].map((days) => ({ ...event(environment), id: aged("evt", days) }))
      yield* (yield* OutboxStore).append({ ...noRecords, events: said })
      const hook = yield* webhooks.commit(WebhookStore.change(webhook(environment)))
      const tries = [4, 0].map((days) => ({ ...webhookAttempt(hook), id: aged("dlv", days) }))
      for (const attempt of tries) yield* webhooks.record(WebhookStore.attemptChange(attempt, null))
      assert.include(yield* store.environments, environment)
      assert.strictEqual(yield* store.forget(environment, noon - day, 1), 1)
      assert.strictEqual(yield* store.forget(environment, noon - day, 10), 1)
      assert.strictEqual(yield* store.forget(environment, noon - day, 10), 0)
      assert.deepStrictEqual(yield* events(environment), [said[2]!])
      assert.isNull(yield* webhooks.attempt(environment, tries[0]!.id))
      assert.isNotNull(yield* webhooks.attempt(environment, tries[1]!.id))
    })
  ),
  promise(
    "all people are listed, with the remaining data of those without a verification",
    Effect.gen(function* () {
      const store = yield* ErasureStore
      const environment = fresh("env")
      const [one, two, three] = [
        yield* newPerson(environment),
        yield* newPerson(environment),
        yield* newPerson(environment)
      ]
      const gone = { id: two.made.id, orderIds: two.orderIds }
      yield* commit(environment, { verifications: [gone] })
      const mine = Effect.gen(function* () {
        const all: Array<ErasureStore.Person> = []
        let after: ErasureStore.PersonKey | null = { environment, canonical: "" }
        for (;;) {
          const page: ReadonlyArray<ErasureStore.Person> = yield* store.people(after, 2)
          all.push(...page.filter((person) => person.environment === environment))
          after = page.at(-1) ?? null
          if (after === null || after.environment !== environment) return all
        }
      })
      const expected = [one, two, three]
        .map(({ subject }) => ({
          environment,
          canonical: subject.canonical,
          subject: subject === two.subject ? subject : null
        }))
        .toSorted((a, b) => (a.canonical < b.canonical ? -1 : 1))
      assert.deepStrictEqual(yield* mine, expected)
      assert.isNotEmpty(yield* store.people(null, 1))
    })
  )
]
