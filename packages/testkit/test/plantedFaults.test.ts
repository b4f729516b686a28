import { MemoryStorage } from "@countersign/core/memory"
import {
  Conflict,
  EventStore,
  FactStore,
  IdempotencyStore,
  JobStore,
  KeyStore,
  noRecords,
  OutboxStore,
  type Storage,
  VerificationStore
} from "@countersign/core/storage"
import { StorageTest } from "@countersign/testkit"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer } from "effect"

type Ports = Context.Context<Storage>

/** The memory storage with one planted fault. */
const broken = (fault: (ports: Ports) => Ports) =>
  Layer.effectContext(Effect.map(Layer.build(MemoryStorage.layer), fault))

const faults: {
  readonly [fault: string]: {
    readonly noticedBy: RegExp
    readonly plant: (ports: Ports) => Ports
  }
} = {
  "commits without checking the version": {
    noticedBy: /when 200 commits start/,
    plant: (ports) => {
      const store = Context.get(ports, VerificationStore)
      const commit: VerificationStore["Service"]["commit"] = (change) =>
        Effect.flatMap(store.subject(change.subject.environment, change.subject.canonical), ({ version }) =>
          store.commit({ ...change, subject: { ...change.subject, version } })
        )
      return Context.add(ports, VerificationStore, { ...store, commit })
    }
  },
  "checks the version and writes in two separate steps": {
    noticedBy: /when 200 commits start/,
    plant: (ports) => {
      const store = Context.get(ports, VerificationStore)
      const commit: VerificationStore["Service"]["commit"] = Effect.fnUntraced(function* (change) {
        const { canonical, environment, version } = change.subject
        const stored = yield* store.subject(environment, canonical)
        if (stored.version !== version) return yield* new Conflict({ key: canonical })
        yield* Effect.yieldNow
        const now = yield* store.subject(environment, canonical)
        return yield* store.commit({ ...change, subject: { ...change.subject, version: now.version } })
      })
      return Context.add(ports, VerificationStore, { ...store, commit })
    }
  },
  "writes events of a change that conflicts": {
    noticedBy: /when 200 commits start/,
    plant: (ports) => {
      const events = Context.get(ports, EventStore)
      const store = Context.get(ports, VerificationStore)
      const stray: Array<Parameters<typeof store.commit>[0]["events"][number]> = []
      return ports.pipe(
        Context.add(VerificationStore, {
          ...store,
          commit: (change) =>
            Effect.tapError(store.commit(change), () => Effect.sync(() => stray.push(...change.events)))
        }),
        Context.add(EventStore, {
          ...events,
          list: (page) =>
            Effect.map(events.list(page), (list) => [
              ...stray.filter(({ environment }) => environment === page.environment),
              ...list
            ])
        })
      )
    }
  },
  "folds facts for a change that conflicts": {
    noticedBy: /in the sum exactly once/,
    plant: (ports) => {
      const store = Context.get(ports, VerificationStore)
      const outbox = Context.get(ports, OutboxStore)
      return Context.add(ports, VerificationStore, {
        ...store,
        commit: (change) =>
          Effect.tapError(store.commit(change), () => outbox.append({ ...noRecords, folded: change.folded }))
      })
    }
  },
  "keeps facts that were folded": {
    noticedBy: /in the sum exactly once/,
    plant: (ports) => {
      const store = Context.get(ports, VerificationStore)
      return Context.add(ports, VerificationStore, {
        ...store,
        commit: (change) => store.commit({ ...change, folded: change.folded.slice(1) })
      })
    }
  },
  "never lists facts older than those it listed before": {
    noticedBy: /in the sum exactly once/,
    plant: (ports) => {
      const facts = Context.get(ports, FactStore)
      const newest = new Map<string, number>()
      return Context.add(ports, FactStore, {
        ...facts,
        list: (page) =>
          Effect.map(facts.list(page), (all) => {
            const place = `${page.kind} ${page.environment}`
            const found = all.filter(({ at }) => at >= (newest.get(place) ?? 0))
            newest.set(place, Math.max(newest.get(place) ?? 0, ...found.map(({ at }) => at)))
            return found
          })
      })
    }
  },
  "finds verifications of other environments": {
    noticedBy: /another environment/,
    plant: (ports) => {
      const store = Context.get(ports, VerificationStore)
      const homes = new Map<string, string>()
      return Context.add(ports, VerificationStore, {
        ...store,
        commit: (change) =>
          Effect.tap(store.commit(change), () =>
            Effect.sync(() => change.verification && homes.set(change.verification.id, change.subject.environment))
          ),
        find: (environment, id) => store.find(homes.get(id) ?? environment, id)
      })
    }
  },
  "stores the device of a change that conflicts": {
    noticedBy: /of a commit that conflicts belongs to no person/,
    plant: (ports) => {
      const store = Context.get(ports, VerificationStore)
      const strays = new Map<string, string>()
      return Context.add(ports, VerificationStore, {
        ...store,
        commit: (change) =>
          Effect.tapError(store.commit(change), () =>
            Effect.sync(() => change.deviceId && strays.set(change.deviceId, change.subject.canonical))
          ),
        findByDevice: (environment, id) =>
          Effect.map(store.findByDevice(environment, id), (owner) => owner ?? strays.get(id) ?? null)
      })
    }
  },
  "stores devices only together with a verification": {
    noticedBy: /belongs to its person from the commit/,
    plant: (ports) => {
      const store = Context.get(ports, VerificationStore)
      return Context.add(ports, VerificationStore, {
        ...store,
        commit: (change) => store.commit(change.verification === null ? { ...change, deviceId: null } : change)
      })
    }
  },
  "finds a device in every environment": {
    noticedBy: /devices with the same id in two environments/,
    plant: (ports) => {
      const store = Context.get(ports, VerificationStore)
      const homes = new Map<string, string>()
      return Context.add(ports, VerificationStore, {
        ...store,
        commit: (change) =>
          Effect.tap(store.commit(change), () =>
            Effect.sync(() => change.deviceId && homes.set(change.deviceId, change.subject.environment))
          ),
        findByDevice: (environment, id) => store.findByDevice(homes.get(id) ?? environment, id)
      })
    }
  },
  "drops appended jobs": {
    noticedBy: /their jobs can be claimed/,
    plant: (ports) => {
      const { append } = Context.get(ports, OutboxStore)
      return Context.add(ports, OutboxStore, { append: (outgoing) => append({ ...outgoing, jobs: [] }) })
    }
  },
  "stores a repeated append twice": {
    noticedBy: /a repeated append/,
    plant: (ports) => {
      const { append } = Context.get(ports, OutboxStore)
      const seen = new Set<string>()
      return Context.add(ports, OutboxStore, {
        append: (outgoing) =>
          append({
            ...outgoing,
            events: outgoing.events.map((event) => {
              const again = seen.has(event.id)
              seen.add(event.id)
              return again ? { ...event, id: `${event.id}_${seen.size}` } : event
            })
          })
      })
    }
  },
  "lets a worker that lost the lease complete a job": {
    noticedBy: /lost the lease/,
    plant: (ports) => {
      const jobs = Context.get(ports, JobStore)
      const complete: JobStore["Service"]["complete"] = ({ fence, key }) =>
        Effect.flatMap(jobs.complete({ key, fence }), (done) =>
          done ? Effect.succeed(true) : jobs.complete({ key, fence: fence + 1 })
        )
      return Context.add(ports, JobStore, { ...jobs, complete })
    }
  },
  "never returns when the next job falls due": {
    noticedBy: /next due time is that of the earliest job/,
    plant: (ports) =>
      Context.add(ports, JobStore, { ...Context.get(ports, JobStore), nextRunAt: () => Effect.succeed(null) })
  },
  "commits keys without checking their version": {
    noticedBy: /when 20 commits start/,
    plant: (ports) => {
      const store = Context.get(ports, KeyStore)
      const commit: KeyStore["Service"]["commit"] = (change) =>
        Effect.flatMap(store.load(change.environment), (loaded) =>
          store.commit({ ...change, version: loaded?.version ?? change.version })
        )
      return Context.add(ports, KeyStore, { ...store, commit })
    }
  },
  "drops the last use of a changed key": {
    noticedBy: /last use of a key only moves forward/,
    plant: (ports) => {
      const store = Context.get(ports, KeyStore)
      const used = new Map<string, number>()
      const forgetful: KeyStore["Service"] = {
        load: (environment) =>
          Effect.map(
            store.load(environment),
            (loaded) =>
              loaded && {
                ...loaded,
                keys: loaded.keys.map((key) => ({ ...key, lastUsedAt: used.get(key.id) ?? null }))
              }
          ),
        commit: (change) =>
          Effect.tap(store.commit(change), () =>
            Effect.sync(() => change.changed.forEach(({ id }) => used.delete(id)))
          ),
        used: (uses) =>
          Effect.sync(() => uses.forEach(({ hour, id }) => used.set(id, Math.max(used.get(id) ?? 0, hour))))
      }
      return Context.add(ports, KeyStore, forgetful)
    }
  },
  "gives an idempotency key to every caller": {
    noticedBy: /one may run/,
    plant: (ports) =>
      Context.add(ports, IdempotencyStore, {
        ...Context.get(ports, IdempotencyStore),
        begin: ({ now }) => Effect.succeed({ _tag: "Taken", firstAt: now, isRepeat: false })
      })
  },
  "replaces unknown characters": {
    noticedBy: /awkward text/,
    plant: (ports) => {
      const store = Context.get(ports, VerificationStore)
      return Context.add(ports, VerificationStore, {
        ...store,
        findIdByOrder: (environment, orderId) => store.findIdByOrder(environment, orderId.replace(/\p{C}/gu, "?"))
      })
    }
  }
}

/** The promises that a storage breaks, among those whose title matches `about`. */
const brokenPromises = (storage: Layer.Layer<Storage>, about = /./) =>
  Effect.gen(function* () {
    const found: Array<string> = []
    for (const { check, promise } of Object.values(StorageTest.checks).flat()) {
      if (!about.test(promise)) continue
      if (Exit.isFailure(yield* Effect.exit(Effect.scoped(check)))) found.push(promise)
    }
    return found
  }).pipe(Effect.provide(storage))

for (const [fault, { noticedBy, plant }] of Object.entries(faults)) {
  it.live(`the checks detect a storage that ${fault}`, () =>
    Effect.gen(function* () {
      assert.isNotEmpty(yield* brokenPromises(broken(plant), noticedBy))
    })
  )
}

it.live("a storage without a fault passes every check", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* brokenPromises(broken((ports) => ports)), [])
  })
)
