import { MemoryStorage } from "@countersign/core/memory"
import {
  Conflict,
  EventStore,
  JobStore,
  OutboxStore,
  type Storage,
  StoreError,
  VerificationStore,
  WebhookStore
} from "@countersign/core/storage"
import { StorageTest } from "@countersign/testkit"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer } from "effect"
import { changed } from "../src/storage/fixtures.ts"

type Ports = Context.Context<Storage>
type Planted<S> = (store: S, ports: Ports) => Partial<S>

interface Fault {
  /** The port whose checks are run. */
  readonly port: string
  readonly noticedBy: RegExp
  readonly plant: (ports: Ports) => Ports
}

const inWebhooks = (noticedBy: RegExp, fault: Planted<WebhookStore["Service"]>): Fault => ({
  port: "WebhookStore",
  noticedBy,
  plant: (ports) => {
    const store = Context.get(ports, WebhookStore)
    return Context.add(ports, WebhookStore, { ...store, ...fault(store, ports) })
  }
})

const inJobs = (noticedBy: RegExp, fault: Planted<JobStore["Service"]>): Fault => ({
  port: "JobStore",
  noticedBy,
  plant: (ports) => {
    const store = Context.get(ports, JobStore)
    return Context.add(ports, JobStore, { ...store, ...fault(store, ports) })
  }
})

const throughDoors = (noticedBy: RegExp, plant: Fault["plant"]): Fault => ({ port: "OutboxStore", noticedBy, plant })

/** Asks gates for something else than it was asked for. */
const inGates =
  (change: (room: JobStore.GateRoom) => JobStore.GateRoom): Planted<JobStore["Service"]> =>
  (store) => ({ claimGates: (claim) => store.claimGates({ ...claim, gates: claim.gates.map(change) }) })

const everything = { free: 1_000, share: null, held: [], room: 1_000, rooms: [] }

const inExpiries = (noticedBy: RegExp, fault: Planted<VerificationStore["Service"]>): Fault => ({
  port: "VerificationStore",
  noticedBy,
  plant: (ports) => {
    const store = Context.get(ports, VerificationStore)
    return Context.add(ports, VerificationStore, { ...store, ...fault(store, ports) })
  }
})

/** The change, as if it had been decided on that version. */
const at = (version: number | undefined, change: WebhookStore.Change): WebhookStore.Change => ({
  ...change,
  webhook: { ...change.webhook, version: version ?? 0 }
})

const faults: { readonly [fault: string]: Fault } = {
  "saves endpoints without looking at the version": inWebhooks(/of 100 saves/, (store) => ({
    commit: (change) =>
      Effect.flatMap(store.get(change.webhook.environment, change.webhook.id), (stored) =>
        store.commit(at(stored?.version, change))
      )
  })),
  "checks an endpoint's version before it writes, in two steps": inWebhooks(/of 100 saves/, (store) => ({
    commit: Effect.fnUntraced(function* (change) {
      const { webhook } = change
      const stored = yield* store.get(webhook.environment, webhook.id)
      if ((stored?.version ?? 0) !== webhook.version) return yield* new Conflict({ key: webhook.id })
      yield* Effect.yieldNow
      const now = yield* store.get(webhook.environment, webhook.id)
      return yield* store.commit(at(now?.version, change))
    })
  })),
  "writes events and work of a save that conflicts": inWebhooks(/of 100 saves|is a Conflict/, (store, ports) => ({
    commit: (change) =>
      Effect.tapError(store.commit(change), () => Context.get(ports, OutboxStore).append({ ...change, booked: [] }))
  })),
  "gives one URL to everybody": inWebhooks(/a URL belongs to one endpoint/, (store) => {
    const cut = <A extends { readonly url: string }>(one: A): A => ({ ...one, url: one.url.split("#")[0] })
    return {
      commit: (change) => {
        const { id, url } = change.webhook
        return Effect.map(store.commit({ ...change, webhook: { ...change.webhook, url: `${url}#${id}` } }), cut)
      },
      list: (environment) => Effect.map(store.list(environment), (all) => all.map(cut)),
      get: (environment, id) => Effect.map(store.get(environment, id), (one) => (one === null ? null : cut(one)))
    }
  }),
  "never gives a URL away again": inWebhooks(/a URL belongs to one endpoint/, (store) => {
    const owners = new Map<string, string>()
    return {
      commit: (change) => {
        const { webhook } = change
        const url = `${webhook.environment} ${webhook.url}`
        if ((owners.get(url) ?? webhook.id) !== webhook.id) return Effect.fail(new Conflict({ key: webhook.id }))
        return Effect.tap(store.commit(change), () => Effect.sync(() => owners.set(url, webhook.id)))
      }
    }
  }),
  "finds endpoints of other environments": inWebhooks(/nobody else's/, (store) => {
    const homes = new Map<string, string>()
    return {
      commit: (change) =>
        Effect.tap(store.commit(change), ({ environment, id }) => Effect.sync(() => homes.set(id, environment))),
      get: (environment, id) => store.get(homes.get(id) ?? environment, id)
    }
  }),
  "forgets an endpoint's log with it": inWebhooks(/keeps its log/, (store) => {
    const gone = new Set<string>()
    return {
      remove: (change) => Effect.tap(store.remove(change), () => Effect.sync(() => gone.add(change.webhook.id))),
      attempts: (page) => (gone.has(page.webhookId) ? Effect.succeed([]) : store.attempts(page))
    }
  }),
  "ends jobs whose lease has passed to somebody else": inWebhooks(/lost the lease/, (store, ports) => ({
    record: (record) =>
      Effect.andThen(
        store.record(record),
        record.done === null
          ? Effect.void
          : Context.get(ports, JobStore).complete({ ...record.done, fence: record.done.fence + 1 })
      ).pipe(Effect.asVoid)
  })),
  "logs only what still holds its lease": inWebhooks(/lost the lease/, (store, ports) => ({
    record: Effect.fnUntraced(function* (record) {
      const { again, done } = record
      const jobs = Context.get(ports, JobStore)
      const held =
        done !== null
          ? yield* jobs.complete(done)
          : again === null ||
            (yield* jobs.retry(again.lease, { runAt: again.runAt, reason: "again", failures: record.attempt.attempt }))
      if (held) yield* store.record({ ...record, done: null, again: null })
    })
  })),
  "puts every job off that a try should end": inWebhooks(/ends its job/, (store) => ({
    record: (record) =>
      store.record(record.done === null ? record : { ...record, done: null, again: { lease: record.done, runAt: 0 } })
  })),
  "logs a try again when it is recorded again": inWebhooks(/recording a try twice/, (store) => {
    let made = 0
    return { record: (record) => store.record({ ...record, attempt: { ...record.attempt, id: `dlv_${++made}` } }) }
  }),
  "loses tries when many come at once": inWebhooks(/300 tries/, (store) => {
    let busy = 0
    return {
      record: (record) =>
        Effect.suspend(() => {
          if (++busy > 250) return Effect.sync(() => void busy--)
          return Effect.andThen(
            Effect.yieldNow,
            Effect.ensuring(
              store.record(record),
              Effect.sync(() => busy--)
            )
          )
        })
    }
  }),
  "begins a page with the last try of the one before": inWebhooks(/page by page/, (store) => ({
    attempts: (page) => store.attempts({ ...page, after: page.after === null ? null : `${page.after}0` })
  })),
  "shows tries of every kind, whichever were asked for": inWebhooks(/page by page/, (store) => ({
    attempts: (page) => store.attempts({ ...page, status: null })
  })),
  "takes for delivered whatever was tried": inWebhooks(/were delivered/, (store) => ({
    attempted: (environment, webhookId, ids) =>
      Effect.map(
        store.attempts({ environment, webhookId, status: null, after: null, limit: 1_000 }),
        (made) => new Set(made.map(({ eventId }) => eventId).filter((id) => ids.includes(id)))
      )
  })),
  "shortens what a receiver answered": inWebhooks(/whatever a receiver answers/, (store) => ({
    record: (change) =>
      store.record({
        ...change,
        attempt: { ...change.attempt, responseBody: change.attempt.responseBody?.slice(0, 1_000) ?? null }
      })
  })),
  "replaces characters of a URL": inWebhooks(/awkward text/, (store) => ({
    commit: (change) =>
      store.commit({ ...change, webhook: { ...change.webhook, url: change.webhook.url.toWellFormed() } })
  })),

  "hands out work of gates to everybody": inJobs(/passes a gate is taken only/, (store) => ({
    claim: Effect.fnUntraced(function* (claim) {
      const jobs = yield* store.claim(claim)
      const gates = claim.kinds.map(({ kind }) => ({ ...everything, gate: kind, limit: claim.limit }))
      return jobs.length > 0 ? jobs : (yield* store.claimGates({ ...claim, gates })).jobs
    })
  })),
  "hands out work that passes no gate with that of gates": inJobs(/passes a gate is taken only/, (store) => ({
    claimGates: Effect.fnUntraced(function* (claim) {
      const claimed = yield* store.claimGates(claim)
      return claimed.jobs.length > 0 ? claimed : { ...claimed, jobs: yield* store.claim({ ...claim, limit: 100 }) }
    })
  })),
  "knows one room for every lane": inJobs(
    /as many as it has room for/,
    inGates((room) => ({ ...room, rooms: [] }))
  ),
  "takes what it can from one lane": inJobs(
    /no other is held up/,
    inGates((room) => ({ ...room, room: room.limit }))
  ),
  "takes more than it was asked for": inJobs(
    /no more than asked for/,
    inGates((room) => ({ ...room, limit: room.limit + 1 }))
  ),
  "forgets who holds places already": inJobs(
    /served by turns/,
    inGates((room) => ({ ...room, held: [] }))
  ),
  "lets one environment have every place": inJobs(
    /fewer than are free/,
    inGates((room) => ({ ...room, share: null }))
  ),
  "forgets when a gate's next job falls due": inJobs(/says when the next falls due/, (store) => ({
    claimGates: (claim) => Effect.map(store.claimGates(claim), ({ jobs }) => ({ jobs, next: null }))
  })),
  "leaves a job in the gate it came through": inJobs(/may pass another gate/, (store) => ({
    retry: (lease, { gate: _, ...retry }) => store.retry(lease, retry)
  })),
  "cancels only what nobody works on": inJobs(/of no use any more/, (store) => ({
    cancel: (key) => store.complete({ key, fence: 0 })
  })),
  "hands out a lane's work twice": inJobs(/no job twice/, (store) => ({
    claimGates: Effect.fnUntraced(function* (claim) {
      const claimed = yield* store.claimGates(claim)
      yield* Effect.yieldNow
      const [first] = claimed.jobs
      if (first !== undefined && claimed.jobs.length > 60) {
        yield* store.retry(first, { runAt: claim.now, reason: "again", failures: 0 })
      }
      return claimed
    })
  })),
  "forgets work that comes back into a lane": inJobs(/runs out like any other/, (store) => ({
    claimGates: (claim) =>
      Effect.map(store.claimGates(claim), ({ jobs, next }) => ({ jobs: jobs.filter(({ fence }) => fence === 1), next }))
  })),
  "gives work back with the payload it had": inJobs(/another payload/, (store) => ({
    retry: (lease, { payload: _, ...retry }) => store.retry(lease, retry)
  })),

  "leaves out what expires at the very moment": inExpiries(/including the moment/, (store) => ({
    expired: (page) => store.expired({ ...page, until: page.until - 1 })
  })),
  "goes on after a moment, and forgets others of it": inExpiries(/end at one moment/, (store) => ({
    expired: (page) => store.expired({ ...page, after: { ...page.after, id: page.after.id && "ver_zzzz" } })
  })),
  "begins again with a whole moment": inExpiries(/in order|that time|end at one moment/, (store) => ({
    expired: (page) =>
      page.limit < 10 ? store.expired({ ...page, after: { ...page.after, id: "" } }) : store.expired(page)
  })),
  "remembers the first expiry of a code": inExpiries(/sent again/, (store) => {
    const first = new Map<string, number>()
    const early = (one: VerificationStore.Expired) => ({ ...one, expiresAt: first.get(one.id) ?? one.expiresAt })
    return {
      commit: (change) =>
        Effect.tap(store.commit(change), () =>
          Effect.sync(() => {
            const made = change.verification
            if (made !== null && !first.has(made.id)) first.set(made.id, made.expiresAt)
          })
        ),
      expired: (page) => Effect.map(store.expired(page), (all) => all.map(early))
    }
  }),
  "announces what has come to its end": inExpiries(/await their expiry/, (store) => ({
    commit: (change) =>
      store.commit(
        change.verification === null
          ? change
          : { ...change, verification: changed(change.verification, { status: "PENDING", expiryAnnounced: false }) }
      )
  })),
  "keeps the job whose work a save was": throughDoors(/WebhookStore.commit writes the state/, (ports) => {
    const store = Context.get(ports, WebhookStore)
    return Context.add(ports, WebhookStore, { ...store, commit: (change) => store.commit({ ...change, done: null }) })
  }),
  "forgets the events of a try": throughDoors(/WebhookStore.record writes the state/, (ports) => {
    const store = Context.get(ports, WebhookStore)
    return Context.add(ports, WebhookStore, { ...store, record: (change) => store.record({ ...change, events: [] }) })
  }),
  "keeps the job that an append ends": throughDoors(/OutboxStore.append writes the state/, (ports) => {
    const { append } = Context.get(ports, OutboxStore)
    return Context.add(ports, OutboxStore, { append: (outgoing) => append({ ...outgoing, done: null }) })
  }),
  "writes what a commit leaves before its state": throughDoors(
    /VerificationStore.commit that comes too late/,
    (ports) => {
      const store = Context.get(ports, VerificationStore)
      return Context.add(ports, VerificationStore, {
        ...store,
        commit: (change) =>
          Effect.andThen(
            Context.get(ports, OutboxStore).append({ ...change, booked: [] }),
            store.commit({ ...change, events: [], jobs: [], done: null })
          )
      })
    }
  ),
  "writes an endpoint's state before what it leaves": throughDoors(/WebhookStore.commit that cannot write/, (ports) => {
    const store = Context.get(ports, WebhookStore)
    return Context.add(ports, WebhookStore, {
      ...store,
      commit: Effect.fnUntraced(function* (change: WebhookStore.Change) {
        const stored = yield* store.commit({ ...change, events: [], jobs: [], done: null })
        const refused = change.events.find(({ environment }) => environment.includes("\u0000"))
        if (refused !== undefined) return yield* new StoreError({ operation: "append", cause: refused.id })
        yield* Context.get(ports, OutboxStore).append({ ...change, booked: [] })
        return stored
      })
    })
  }),
  "finds events of other environments": {
    port: "OutboxStore",
    noticedBy: /only in its environment/,
    plant: (ports) => {
      const store = Context.get(ports, EventStore)
      const { append } = Context.get(ports, OutboxStore)
      const homes = new Map<string, string>()
      const remembering = Context.add(ports, OutboxStore, {
        append: (outgoing) =>
          Effect.tap(append(outgoing), () =>
            Effect.sync(() => outgoing.events.forEach(({ environment, id }) => homes.set(id, environment)))
          )
      })
      return Context.add(remembering, EventStore, {
        ...store,
        get: (environment, id) => store.get(homes.get(id) ?? environment, id)
      })
    }
  }
}

for (const [fault, { noticedBy, plant, port }] of Object.entries(faults)) {
  it.live(`a storage that ${fault} is noticed`, () =>
    Effect.gen(function* () {
      const broken: Array<string> = []
      for (const { check, promise } of StorageTest.checks[port] ?? []) {
        if (noticedBy.test(promise) && Exit.isFailure(yield* Effect.exit(Effect.scoped(check)))) broken.push(promise)
      }
      assert.isNotEmpty(broken)
    }).pipe(Effect.provide(Layer.effectContext(Effect.map(Layer.build(MemoryStorage.layer), plant))))
  )
}
