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
  /** The port whose checks run. */
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

const inCommits = (noticedBy: RegExp, plant: Fault["plant"]): Fault => ({ port: "OutboxStore", noticedBy, plant })

/** Changes the request before the gates see it. */
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

/** The change, as if it had been decided on this version. */
const at = (version: number | undefined, change: WebhookStore.Change): WebhookStore.Change => ({
  ...change,
  webhook: { ...change.webhook, version: version ?? 0 }
})

const faults: { readonly [fault: string]: Fault } = {
  "saves endpoints without checking the version": inWebhooks(/when 100 saves start/, (store) => ({
    commit: (change) =>
      Effect.flatMap(store.get(change.webhook.environment, change.webhook.id), (stored) =>
        store.commit(at(stored?.version, change))
      )
  })),
  "checks an endpoint's version and writes in two separate steps": inWebhooks(/when 100 saves start/, (store) => ({
    commit: Effect.fnUntraced(function* (change) {
      const { webhook } = change
      const stored = yield* store.get(webhook.environment, webhook.id)
      if ((stored?.version ?? 0) !== webhook.version) return yield* new Conflict({ key: webhook.id })
      yield* Effect.yieldNow
      const now = yield* store.get(webhook.environment, webhook.id)
      return yield* store.commit(at(now?.version, change))
    })
  })),
  "writes events and jobs of a save that conflicts": inWebhooks(
    /when 100 saves start|is a Conflict/,
    (store, ports) => ({
      commit: (change) =>
        Effect.tapError(store.commit(change), () => Context.get(ports, OutboxStore).append({ ...change, booked: [] }))
    })
  ),
  "lets several endpoints share a URL": inWebhooks(/a URL belongs to one endpoint/, (store) => {
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
  "never frees the URL of a removed endpoint": inWebhooks(/a URL belongs to one endpoint/, (store) => {
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
  "finds endpoints of other environments": inWebhooks(/without other environments'/, (store) => {
    const homes = new Map<string, string>()
    return {
      commit: (change) =>
        Effect.tap(store.commit(change), ({ environment, id }) => Effect.sync(() => homes.set(id, environment))),
      get: (environment, id) => store.get(homes.get(id) ?? environment, id)
    }
  }),
  "deletes an endpoint's log with the endpoint": inWebhooks(/keeps its log/, (store) => {
    const gone = new Set<string>()
    return {
      remove: (change) => Effect.tap(store.remove(change), () => Effect.sync(() => gone.add(change.webhook.id))),
      attempts: (page) => (gone.has(page.webhookId) ? Effect.succeed([]) : store.attempts(page))
    }
  }),
  "ends jobs whose lease has passed to another worker": inWebhooks(/lost the lease/, (store, ports) => ({
    record: (record) =>
      Effect.andThen(
        store.record(record),
        record.done === null
          ? Effect.void
          : Context.get(ports, JobStore).complete({ ...record.done, fence: record.done.fence + 1 })
      ).pipe(Effect.asVoid)
  })),
  "logs only attempts whose lease still holds": inWebhooks(/lost the lease/, (store, ports) => ({
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
  "delays every job that an attempt should end": inWebhooks(/ends its job/, (store) => ({
    record: (record) =>
      store.record(record.done === null ? record : { ...record, done: null, again: { lease: record.done, runAt: 0 } })
  })),
  "logs a repeated attempt twice": inWebhooks(/recording a delivery attempt twice/, (store) => {
    let made = 0
    return { record: (record) => store.record({ ...record, attempt: { ...record.attempt, id: `dlv_${++made}` } }) }
  }),
  "loses attempts when many arrive concurrently": inWebhooks(/300 concurrent delivery attempts/, (store) => {
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
  "repeats the last attempt of a page on the next page": inWebhooks(/page by page/, (store) => ({
    attempts: (page) => store.attempts({ ...page, after: page.after === null ? null : `${page.after}0` })
  })),
  "ignores the status filter of the log": inWebhooks(/page by page/, (store) => ({
    attempts: (page) => store.attempts({ ...page, status: null })
  })),
  "reports every attempted event as delivered": inWebhooks(/events delivered to an endpoint/, (store) => ({
    attempted: (environment, webhookId, ids) =>
      Effect.map(
        store.attempts({ environment, webhookId, status: null, after: null, limit: 1_000 }),
        (made) => new Set(made.map(({ eventId }) => eventId).filter((id) => ids.includes(id)))
      )
  })),
  "shortens a receiver's response": inWebhooks(/any response of a receiver/, (store) => ({
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

  "hands out jobs of gates to callers that name no gate": inJobs(/at a gate are claimed only/, (store) => ({
    claim: Effect.fnUntraced(function* (claim) {
      const jobs = yield* store.claim(claim)
      const gates = claim.kinds.map(({ kind }) => ({ ...everything, gate: kind, limit: claim.limit }))
      return jobs.length > 0 ? jobs : (yield* store.claimGates({ ...claim, gates })).jobs
    })
  })),
  "hands out jobs without a gate together with those of gates": inJobs(/at a gate are claimed only/, (store) => ({
    claimGates: Effect.fnUntraced(function* (claim) {
      const claimed = yield* store.claimGates(claim)
      return claimed.jobs.length > 0 ? claimed : { ...claimed, jobs: yield* store.claim({ ...claim, limit: 100 }) }
    })
  })),
  "uses the same room for every lane": inJobs(
    /each lane gives its oldest jobs/,
    inGates((room) => ({ ...room, rooms: [] }))
  ),
  "fills a claim from one lane": inJobs(
    /never delays another lane/,
    inGates((room) => ({ ...room, room: room.limit }))
  ),
  "returns more jobs than requested": inJobs(
    /all lanes together/,
    inGates((room) => ({ ...room, limit: room.limit + 1 }))
  ),
  "ignores the places that environments hold already": inJobs(
    /environments take turns/,
    inGates((room) => ({ ...room, held: [] }))
  ),
  "gives one environment every place": inJobs(
    /fewer places than are free/,
    inGates((room) => ({ ...room, share: null }))
  ),
  "never returns when a gate's next job falls due": inJobs(/returns when the next job falls due/, (store) => ({
    claimGates: (claim) => Effect.map(store.claimGates(claim), ({ jobs }) => ({ jobs, next: null }))
  })),
  "keeps a released job in its old gate": inJobs(/may move to another gate/, (store) => ({
    retry: (lease, { gate: _, ...retry }) => store.retry(lease, retry)
  })),
  "cancels only jobs that no worker holds": inJobs(/an obsolete job is removed/, (store) => ({
    cancel: (key) => store.complete({ key, fence: 0 })
  })),
  "hands out a lane's jobs twice": inJobs(/no job twice/, (store) => ({
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
  "drops jobs that return to a lane": inJobs(/expires like any other/, (store) => ({
    claimGates: (claim) =>
      Effect.map(store.claimGates(claim), ({ jobs, next }) => ({ jobs: jobs.filter(({ fence }) => fence === 1), next }))
  })),
  "keeps the old payload of a released job": inJobs(/a new payload/, (store) => ({
    retry: (lease, { payload: _, ...retry }) => store.retry(lease, retry)
  })),

  "leaves out verifications that expire at the requested moment": inExpiries(
    /including the requested moment/,
    (store) => ({
      expired: (page) => store.expired({ ...page, until: page.until - 1 })
    })
  ),
  "skips verifications that expire at the same moment as the cursor": inExpiries(
    /expire at the same moment/,
    (store) => ({
      expired: (page) => store.expired({ ...page, after: { ...page.after, id: page.after.id && "ver_zzzz" } })
    })
  ),
  "repeats verifications that expire at the same moment as the cursor": inExpiries(
    /by expiry time|expire at the same moment/,
    (store) => ({
      expired: (page) =>
        page.limit < 10 ? store.expired({ ...page, after: { ...page.after, id: "" } }) : store.expired(page)
    })
  ),
  "keeps the first expiry of a resent code": inExpiries(/resending a code moves its expiry/, (store) => {
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
  "lists ended verifications as awaiting their expiry": inExpiries(/await their expiry/, (store) => ({
    commit: (change) =>
      store.commit(
        change.verification === null
          ? change
          : { ...change, verification: changed(change.verification, { status: "PENDING", expiryAnnounced: false }) }
      )
  })),
  "keeps the job that a save should end": inCommits(/WebhookStore.commit writes the state/, (ports) => {
    const store = Context.get(ports, WebhookStore)
    return Context.add(ports, WebhookStore, { ...store, commit: (change) => store.commit({ ...change, done: null }) })
  }),
  "drops the events of a delivery attempt": inCommits(/WebhookStore.record writes the state/, (ports) => {
    const store = Context.get(ports, WebhookStore)
    return Context.add(ports, WebhookStore, { ...store, record: (change) => store.record({ ...change, events: [] }) })
  }),
  "keeps the job that an append should end": inCommits(/OutboxStore.append writes the state/, (ports) => {
    const { append } = Context.get(ports, OutboxStore)
    return Context.add(ports, OutboxStore, { append: (outgoing) => append({ ...outgoing, done: null }) })
  }),
  "writes the effects of a commit before its state": inCommits(/VerificationStore.commit that is outdated/, (ports) => {
    const store = Context.get(ports, VerificationStore)
    return Context.add(ports, VerificationStore, {
      ...store,
      commit: (change) =>
        Effect.andThen(
          Context.get(ports, OutboxStore).append({ ...change, booked: [] }),
          store.commit({ ...change, events: [], jobs: [], done: null })
        )
    })
  }),
  "writes an endpoint's state before its effects": inCommits(/WebhookStore.commit that cannot write/, (ports) => {
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
  it.live(`the checks detect a storage that ${fault}`, () =>
    Effect.gen(function* () {
      const broken: Array<string> = []
      for (const { check, promise } of StorageTest.checks[port] ?? []) {
        if (noticedBy.test(promise) && Exit.isFailure(yield* Effect.exit(Effect.scoped(check)))) broken.push(promise)
      }
      assert.isNotEmpty(broken)
    }).pipe(Effect.provide(Layer.effectContext(Effect.map(Layer.build(MemoryStorage.layer), plant))))
  )
}
