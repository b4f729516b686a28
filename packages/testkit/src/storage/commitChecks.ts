import {
  AttributionStore,
  AuditStore,
  BalanceStore,
  CampaignStore,
  Conflict,
  ErasureStore,
  EventStore,
  FactStore,
  HookStore,
  JobStore,
  type Fact,
  KeyStore,
  LeadStore,
  noRecords,
  MerchantStore,
  NumberStore,
  TripStore,
  type Outgoing,
  OutboxStore,
  RefusalStore,
  PasskeyStore,
  LabelStore,
  SenderIdStore,
  StaffStore,
  StatStore,
  type Storage,
  Subject,
  SubjectStore,
  TemplateStore,
  VerificationStore,
  WebhookStore
} from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { launch } from "./attributionFixtures.ts"
import { auditEntry, merchantOf } from "./auditFixtures.ts"
import { amountOf, assertSound, booking, fundsOf, newBalance, today } from "./balanceFixtures.ts"
import { campaign, recipient } from "./campaignFixtures.ts"
import {
  change,
  claimFree,
  claimLanes,
  event,
  fact,
  fresh,
  freshKind,
  job,
  key,
  merchant,
  noon,
  verification,
  webhook,
  webhookAttempt
} from "./fixtures.ts"
import { tripOf } from "./tripChecks.ts"
import { label, agent, connectedNumber, lead, message } from "./leadFixtures.ts"
import { signInLink } from "./staffChecks.ts"
import { knownSubject, passkey } from "./signInChecks.ts"
import { erasure } from "./erasureChecks.ts"
import { bucket } from "./statChecks.ts"
import { refusal } from "./refusalChecks.ts"
import { promise } from "./StorageCheck.ts"
import { hook } from "./hookChecks.ts"
import { content, head } from "./templateFixtures.ts"

const lease = 30_000

/** One commit gateway, prepared for one change of something new. */
interface Gateway {
  readonly environment: string
  /** Commits the change with these effects. */
  readonly commit: (outgoing: Outgoing) => Effect.Effect<unknown, unknown, Storage>
  /**
   * Commits a change decided on an outdated version; null for a gateway without versions, which also books no money.
   */
  readonly late: ((outgoing: Outgoing) => Effect.Effect<unknown, unknown, Storage>) | null
  /** Whether the change's own part is in storage. */
  readonly isStored: Effect.Effect<boolean, unknown, Storage>
}

/** Every commit gateway to storage. A new gateway gets a line here. */
const gateways: { readonly [name: string]: Effect.Effect<Gateway, unknown, Storage> } = {
  "VerificationStore.commit": Effect.gen(function* () {
    const store = yield* VerificationStore
    const environment = fresh("env")
    const subject = Subject.empty(environment, fresh("91"))
    const made = verification(subject)
    return {
      environment,
      commit: (outgoing) => store.commit(change(subject, { ...outgoing, verification: made })),
      late: (outgoing) => store.commit(change({ ...subject, version: 7 }, { ...outgoing, verification: made })),
      isStored: Effect.map(store.find(environment, made.id), (found) => found !== null)
    }
  }),
  "WebhookStore.commit": Effect.gen(function* () {
    const store = yield* WebhookStore
    const environment = fresh("env")
    const made = webhook(environment)
    return {
      environment,
      commit: (outgoing) => store.commit(WebhookStore.change(made, outgoing)),
      late: (outgoing) => store.commit(WebhookStore.change({ ...made, version: 7 }, outgoing)),
      isStored: Effect.map(store.get(environment, made.id), (found) => found !== null)
    }
  }),
  "RefusalStore.commit": Effect.gen(function* () {
    const store = yield* RefusalStore
    const environment = fresh("env")
    const made = refusal(environment)
    const page = { environment, reason: null, persons: null, before: "rfs_~", since: "rfs_", limit: 1 }
    return {
      environment,
      commit: (outgoing) => store.commit({ ...outgoing, booked: [], refusals: [made] }),
      late: null,
      isStored: Effect.map(store.list(page), (found) => found.length > 0)
    }
  }),
  "WebhookStore.record": Effect.gen(function* () {
    const store = yield* WebhookStore
    const environment = fresh("env")
    const made = webhookAttempt(webhook(environment))
    return {
      environment,
      commit: (outgoing) => store.record({ ...WebhookStore.attemptChange(made, null), ...outgoing, booked: [] }),
      late: null,
      isStored: Effect.map(store.attempt(environment, made.id), (found) => found !== null)
    }
  }),
  "LeadStore.commit": Effect.gen(function* () {
    const store = yield* LeadStore
    const environment = fresh("env")
    const made = lead(environment, 1)
    return {
      environment,
      commit: (outgoing) =>
        store.commit(LeadStore.change({ ...outgoing, leads: [made], messages: [message(environment, 1)] })),
      late: (outgoing) => store.commit(LeadStore.change({ ...outgoing, leads: [{ ...made, version: 7 }] })),
      isStored: Effect.map(store.get(environment, 1), (found) => found !== null)
    }
  }),
  "HookStore.commit": Effect.gen(function* () {
    const store = yield* HookStore
    const environment = fresh("env")
    const made = hook(environment)
    return {
      environment,
      commit: (outgoing) => store.commit(HookStore.change(made, outgoing)),
      late: (outgoing) => store.commit(HookStore.change({ ...made, version: 7 }, outgoing)),
      isStored: Effect.map(store.get(made.id), (found) => found !== null)
    }
  }),
  "NumberStore.commit": Effect.gen(function* () {
    const store = yield* NumberStore
    const environment = fresh("env")
    const made = connectedNumber(environment)
    return {
      environment,
      commit: (outgoing) => store.commit({ ...outgoing, number: made }),
      late: (outgoing) => store.commit({ ...outgoing, number: { ...made, version: 7 } }),
      isStored: Effect.map(store.get(made.id), (found) => found !== null)
    }
  }),
  "TripStore.commit": Effect.gen(function* () {
    const store = yield* TripStore
    const environment = fresh("env")
    const made = tripOf(environment)
    return {
      environment,
      commit: (outgoing) => store.commit({ ...outgoing, trip: made }),
      late: (outgoing) => store.commit({ ...outgoing, trip: { ...made, version: 7 } }),
      isStored: Effect.map(store.get(environment, made.reason, made.place), (found) => found !== null)
    }
  }),
  "AttributionStore.commit": Effect.gen(function* () {
    const store = yield* AttributionStore
    const environment = fresh("env")
    const made = launch(environment)
    return {
      environment,
      commit: (outgoing) =>
        store.commit(AttributionStore.change({ ...outgoing, launches: [{ launch: made, becomes: "kept" }] })),
      late: (outgoing) =>
        store.commit(
          AttributionStore.change({ ...outgoing, launches: [{ launch: { ...made, version: 7 }, becomes: "kept" }] })
        ),
      isStored: Effect.map(store.launches(environment, [made.id]), (found) => found.length > 0)
    }
  }),
  "TemplateStore.commit": Effect.gen(function* () {
    const store = yield* TemplateStore
    const environment = fresh("env")
    const made = head(environment)
    return {
      environment,
      commit: (outgoing) => store.commit({ ...outgoing, head: made, content }),
      late: (outgoing) => store.commit({ ...outgoing, head: { ...made, revision: 7 }, content }),
      isStored: Effect.map(store.get(environment, made.id), (found) => found !== null)
    }
  }),
  "SenderIdStore.commit": Effect.gen(function* () {
    const store = yield* SenderIdStore
    const environment = fresh("env")
    const senderId = { environment, header: "ACMEIN", createdAt: noon }
    return {
      environment,
      commit: (outgoing) => store.commit({ ...outgoing, senderId, becomes: "added" }),
      late: (outgoing) => store.commit({ ...outgoing, senderId, becomes: "removed" }),
      isStored: Effect.map(store.list(environment), (found) => found.length > 0)
    }
  }),
  "LabelStore.commit": Effect.gen(function* () {
    const store = yield* LabelStore
    const environment = fresh("env")
    const made = label(fresh("mer"))
    return {
      environment,
      commit: (outgoing) => store.commit({ ...outgoing, label: made, becomes: "added" }),
      late: (outgoing) => store.commit({ ...outgoing, label: label(made.merchantId), becomes: "changed" }),
      isStored: Effect.map(store.list(made.merchantId), (found) => found.length > 0)
    }
  }),
  "StaffStore.commit": Effect.gen(function* () {
    const store = yield* StaffStore
    const environment = fresh("env")
    const made = agent(fresh("mer"), 1)
    return {
      environment,
      commit: (outgoing) => store.commit(StaffStore.change({ ...outgoing, agents: [made], links: [signInLink(made)] })),
      late: (outgoing) =>
        store.commit(StaffStore.change({ ...outgoing, agents: [made], links: [signInLink(made, { version: 7 })] })),
      isStored: Effect.map(store.linkOf(made.merchantId, 1), (found) => found !== null)
    }
  }),
  "PasskeyStore.commit": Effect.gen(function* () {
    const store = yield* PasskeyStore
    const environment = fresh("env")
    const made = passkey()
    return {
      environment,
      commit: (outgoing) => store.commit({ ...outgoing, passkey: made }),
      late: (outgoing) => store.commit({ ...outgoing, passkey: { ...made, version: 7 } }),
      isStored: Effect.map(store.get(made.id), (found) => found !== null)
    }
  }),
  "SubjectStore.commit": Effect.gen(function* () {
    const store = yield* SubjectStore
    const environment = fresh("env")
    const made = knownSubject()
    const taken = knownSubject()
    yield* store.commit({ ...noRecords, subject: taken })
    return {
      environment,
      commit: (outgoing) => store.commit({ ...outgoing, subject: made }),
      late: (outgoing) => store.commit({ ...outgoing, subject: taken }),
      isStored: Effect.map(store.get(made.issuer, made.subject), (found) => found !== null)
    }
  }),
  "WebhookStore.remove": Effect.gen(function* () {
    const store = yield* WebhookStore
    const environment = fresh("env")
    const made = yield* store.commit(WebhookStore.change(webhook(environment)))
    return {
      environment,
      commit: (outgoing) => store.remove(WebhookStore.change(made, outgoing)),
      late: (outgoing) => store.remove(WebhookStore.change({ ...made, version: 7 }, outgoing)),
      isStored: Effect.map(store.get(environment, made.id), (found) => found === null)
    }
  }),
  "HookStore.remove": Effect.gen(function* () {
    const store = yield* HookStore
    const environment = fresh("env")
    const made = yield* store.commit(HookStore.change(hook(environment)))
    return {
      environment,
      commit: (outgoing) => store.remove(HookStore.change(made, outgoing)),
      late: (outgoing) => store.remove(HookStore.change({ ...made, version: 7 }, outgoing)),
      isStored: Effect.map(store.get(made.id), (found) => found === null)
    }
  }),
  "NumberStore.remove": Effect.gen(function* () {
    const store = yield* NumberStore
    const environment = fresh("env")
    const number = yield* store.commit({ ...noRecords, number: connectedNumber(environment) })
    return {
      environment,
      commit: (outgoing) => store.remove({ ...outgoing, number }),
      late: (outgoing) => store.remove({ ...outgoing, number: { ...number, version: 7 } }),
      isStored: Effect.map(store.get(number.id), (found) => found === null)
    }
  }),
  "MerchantStore.create": Effect.gen(function* () {
    const store = yield* MerchantStore
    const [known, made] = [merchant(), merchant()]
    yield* store.create({ ...noRecords, ...known })
    return {
      environment: made.environments[0]!.id,
      commit: (outgoing) => store.create({ ...outgoing, ...made }),
      late: (outgoing) => store.create({ ...outgoing, ...made, credentials: known.credentials }),
      isStored: Effect.map(store.get(made.merchant.id), (found) => found !== null)
    }
  }),
  "MerchantStore.change": Effect.gen(function* () {
    const store = yield* MerchantStore
    const made = merchant()
    yield* store.create({ ...noRecords, ...made })
    const from = made.merchant
    const to = { ...from, name: fresh("Renamed") }
    return {
      environment: made.environments[0]!.id,
      commit: (outgoing) => store.change({ ...outgoing, from, to }),
      late: (outgoing) => store.change({ ...outgoing, from: { ...from, status: "SUSPENDED" }, to }),
      isStored: Effect.map(store.get(from.id), (found) => found?.merchant.name === to.name)
    }
  }),
  "MerchantStore.saveSettings": Effect.gen(function* () {
    const store = yield* MerchantStore
    const made = merchant()
    yield* store.create({ ...noRecords, ...made })
    const environment = made.environments[0]!.id
    const settings = { codeLength: 4 }
    return {
      environment,
      commit: (outgoing) => store.saveSettings({ ...outgoing, environment, version: 1, settings }),
      late: (outgoing) => store.saveSettings({ ...outgoing, environment, version: 7, settings }),
      isStored: Effect.map(store.environment(environment), (found) => found?.environment.settings.codeLength === 4)
    }
  }),
  "KeyStore.commit": Effect.gen(function* () {
    const store = yield* KeyStore
    const made = merchant()
    yield* (yield* MerchantStore).create({ ...noRecords, ...made })
    const environment = made.environments[0]!.id
    const added = [key(environment)]
    return {
      environment,
      commit: (outgoing) => store.commit({ ...outgoing, environment, version: 1, added, changed: [] }),
      late: (outgoing) => store.commit({ ...outgoing, environment, version: 7, added, changed: [] }),
      isStored: Effect.map(
        store.load(environment),
        (found) => found?.keys.some(({ id }) => id === added[0]!.id) === true
      )
    }
  }),
  "ErasureStore.commit": Effect.gen(function* () {
    const store = yield* ErasureStore
    const environment = fresh("env")
    const made = erasure(environment)
    return {
      environment,
      commit: (outgoing) => store.commit(ErasureStore.change(environment, { ...outgoing, erasure: made })),
      late: (outgoing) =>
        store.commit(ErasureStore.change(environment, { ...outgoing, erasure: { ...made, version: 7 } })),
      isStored: Effect.map(store.get(environment, made.id), (found) => found !== null)
    }
  }),
  "CampaignStore.commit": Effect.gen(function* () {
    const store = yield* CampaignStore
    const environment = fresh("env")
    const made = campaign(environment)
    return {
      environment,
      commit: (outgoing) =>
        store.commit(CampaignStore.change({ ...outgoing, campaign: made, recipients: [recipient(made, 1)] })),
      late: (outgoing) => store.commit(CampaignStore.change({ ...outgoing, campaign: { ...made, version: 7 } })),
      isStored: Effect.map(store.get(environment, made.id), (found) => found !== null)
    }
  }),
  "StatStore.commit": Effect.gen(function* () {
    const store = yield* StatStore
    const environment = fresh("env")
    const made = { environment, version: 0, buckets: [bucket()] }
    return {
      environment,
      commit: (outgoing) => store.commit({ ...outgoing, ...made }),
      late: (outgoing) => store.commit({ ...outgoing, ...made, version: 7 }),
      isStored: Effect.map(store.buckets(environment, [bucket()]), (found) => found.length > 0)
    }
  }),
  "BalanceStore.commit": Effect.gen(function* () {
    const store = yield* BalanceStore
    const environment = fresh("env")
    const made = newBalance(environment, { isLow: true })
    return {
      environment,
      commit: (outgoing) => store.commit(BalanceStore.change(made, outgoing)),
      late: (outgoing) => store.commit(BalanceStore.change({ ...made, version: 7 }, outgoing)),
      isStored: Effect.map(store.funds(environment, today), ({ balance }) => balance.isLow)
    }
  }),
  "OutboxStore.append": Effect.gen(function* () {
    const store = yield* OutboxStore
    return {
      environment: fresh("env"),
      commit: (outgoing) => store.append({ ...outgoing, booked: [] }),
      late: null,
      isStored: Effect.succeed(false)
    }
  })
}

const noState = "OutboxStore.append"

/** Adds and claims a job. */
const underWay = Effect.fnUntraced(function* (environment: string, kind: string) {
  yield* (yield* OutboxStore).append({ ...noRecords, jobs: [job(environment, { kind })] })
  const [claimed] = yield* claimFree(kind, { lease })
  return claimed!
})

const left = Effect.fnUntraced(function* (environment: string, kind: string, now: number) {
  const events = yield* (yield* EventStore).list({ environment, type: null, after: null, limit: 100 })
  const all = [...(yield* claimFree(kind, { now, lease })), ...(yield* claimLanes(kind, { now, lease }))]
  const facts = yield* (yield* FactStore).list({ environment, kind, after: null, limit: 100 })
  return {
    events: events.map(({ id }) => id).toSorted(),
    jobs: all.map(({ key }) => key).toSorted(),
    facts: facts.map(({ key }) => key).toSorted(),
    audited: yield* (yield* AuditStore).list({ merchantId: merchantOf(environment) }, { after: null, limit: 100 }),
    booked: (yield* assertSound(environment)).map(({ reference }) => reference),
    spent: (yield* fundsOf(environment)).spent
  }
})

/**
 * The effects of a change: two events, a job in a lane and one without, the end of a job, two facts, the fold of an
 * older fact, and a credit and a debit.
 */
const leaving = Effect.fnUntraced(function* ({ environment, late }: Gateway) {
  const kind = freshKind()
  const done = yield* underWay(environment, kind)
  const events = [event(environment), event(environment, "webhook.test")]
  const jobs = [job(environment, { kind }), job(environment, { kind, lane: fresh("lane") })]
  const before = [fact(environment, { kind }), fact(environment, { kind, at: noon - 1 })]
  yield* (yield* OutboxStore).append({ ...noRecords, facts: before })
  const facts = [fact(environment, { kind }), fact(environment, { kind })]
  const audited = [auditEntry(environment), auditEntry(environment, { environment: null })].toSorted((a, b) =>
    a.id < b.id ? 1 : -1
  )
  const booked = late === null ? [] : [booking(environment, 30), booking(environment, -20)]
  const keysOf = (facts: ReadonlyArray<Fact>) => facts.map(({ key }) => key).toSorted()
  return {
    kind,
    done,
    outgoing: { events, jobs, done, facts, folded: before.slice(0, 1), audited, booked },
    /** The expected rows when the change is written, and when it is not. */
    all: {
      events: events.map(({ id }) => id).toSorted(),
      jobs: jobs.map(({ key }) => key).toSorted(),
      facts: keysOf([...before.slice(1), ...facts]),
      audited,
      booked: booked.map(({ reference }) => reference),
      spent: late === null ? {} : { SMS: 20 }
    },
    nothing: { events: [], jobs: [], facts: keysOf(before), audited: [], booked: [], spent: {} }
  }
})

/** Every commit gateway writes a change of state and all its effects together, or nothing. */
export const commitChecks = Object.entries(gateways).flatMap(([name, open]) => [
  promise(
    `${name} writes the state, events, jobs, facts, money and audit entries, folds facts, and ends its job`,
    Effect.gen(function* () {
      const gateway = yield* open
      const { all, done, kind, outgoing } = yield* leaving(gateway)
      yield* gateway.commit(outgoing)
      assert.strictEqual(yield* gateway.isStored, name !== noState)
      assert.deepStrictEqual(yield* left(gateway.environment, kind, noon), all)
      assert.isFalse(yield* (yield* JobStore).complete(done))
    })
  ),
  promise(
    `${name} adds a job with the same key as the job it ends`,
    Effect.gen(function* () {
      const gateway = yield* open
      const kind = freshKind()
      const done = yield* underWay(gateway.environment, kind)
      yield* gateway.commit({ ...noRecords, jobs: [job(gateway.environment, { kind, key: done.key })], done })
      assert.deepStrictEqual(yield* left(gateway.environment, kind, noon), {
        events: [],
        jobs: [done.key],
        facts: [],
        audited: [],
        booked: [],
        spent: {}
      })
    })
  ),
  promise(
    `${name} leaves a job alone whose lease has passed to another worker, and writes the rest`,
    Effect.gen(function* () {
      const gateway = yield* open
      const jobs = yield* JobStore
      const { all, done, kind, outgoing } = yield* leaving(gateway)
      const [taken] = yield* claimFree(kind, { now: noon + lease, lease })
      assert.strictEqual(taken?.key, done.key)
      yield* gateway.commit(outgoing)
      assert.deepStrictEqual(yield* left(gateway.environment, kind, noon), all)
      assert.isTrue(yield* jobs.complete(taken!))
    })
  ),
  promise(
    `${name} that cannot write one of its parts writes none`,
    Effect.gen(function* () {
      const gateway = yield* open
      const { done, kind, nothing, outgoing } = yield* leaving(gateway)
      const parts = [
        { events: [event(`${gateway.environment}\u0000`), ...outgoing.events] },
        { jobs: [job(gateway.environment, { kind, key: `${fresh("send")}\u0000` }), ...outgoing.jobs] },
        { facts: [fact(gateway.environment, { kind, key: `${fresh("fact")}\u0000` }), ...outgoing.facts] },
        ...(gateway.late === null
          ? []
          : [{ booked: [booking(gateway.environment, 1, { reference: `${fresh("ref")}\u0000` }), ...outgoing.booked] }])
      ]
      for (const part of parts) {
        // A storage that can store such text stores all of it; any other storage stores nothing.
        if (Exit.isSuccess(yield* Effect.exit(gateway.commit({ ...outgoing, ...part })))) return
        assert.isFalse(yield* gateway.isStored)
        assert.deepStrictEqual(yield* left(gateway.environment, kind, noon), nothing)
      }
      assert.isTrue(yield* (yield* JobStore).complete(done))
    })
  ),
  promise(
    `${name} that is outdated leaves nothing, and its job stays`,
    Effect.gen(function* () {
      const gateway = yield* open
      if (gateway.late === null) return
      const { done, kind, nothing, outgoing } = yield* leaving(gateway)
      assert.instanceOf(yield* Effect.flip(gateway.late(outgoing)), Conflict)
      assert.isFalse(yield* gateway.isStored)
      assert.deepStrictEqual(yield* left(gateway.environment, kind, noon), nothing)
      assert.isTrue(yield* (yield* JobStore).complete(done))
    })
  ),
  promise(
    `${name} that exceeds the balance or the day's cap is a Conflict and leaves nothing`,
    Effect.gen(function* () {
      const gateway = yield* open
      if (gateway.late === null) return
      const { done, kind, nothing, outgoing } = yield* leaving(gateway)
      const given = booking(gateway.environment, 10)
      const capped = { channel: "SMS", day: today, cap: 9 }
      for (const taken of [
        booking(gateway.environment, -11),
        booking(gateway.environment, -10, { spent: capped }),
        // The other environment has no terms.
        booking(fresh("env"), -1)
      ]) {
        assert.instanceOf(yield* Effect.flip(gateway.commit({ ...outgoing, booked: [given, taken] })), Conflict)
      }
      assert.isFalse(yield* gateway.isStored)
      assert.deepStrictEqual(yield* left(gateway.environment, kind, noon), nothing)
      yield* gateway.commit({ ...outgoing, booked: [given, booking(gateway.environment, -9, { spent: capped })] })
      assert.isTrue(yield* gateway.isStored)
      assert.strictEqual(yield* amountOf(gateway.environment), 1)
      assert.isFalse(yield* (yield* JobStore).complete(done))
    })
  )
])
