import { MemoryStorage } from "@countersign/core/memory"
import {
  Conflict,
  EventStore,
  FactStore,
  IdempotencyStore,
  JobStore,
  KeyStore,
  leavesNothing,
  OutboxStore,
  type Storage,
  VerificationStore
} from "@countersign/core/storage"
import { StorageTest } from "@countersign/testkit"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer } from "effect"

type Ports = Context.Context<Storage>

/** The memory storage with one fault in it. */
const broken = (fault: (ports: Ports) => Ports) =>
  Layer.effectContext(Effect.map(Layer.build(MemoryStorage.layer), fault))

const faults: {
  readonly [fault: string]: {
    readonly noticedBy: RegExp
    readonly plant: (ports: Ports) => Ports
  }
} = {
  "commits without looking at the version": {
    noticedBy: /of 200 commits/,
    plant: (ports) => {
      const store = Context.get(ports, VerificationStore)
      const commit: VerificationStore["Service"]["commit"] = (change) =>
        Effect.flatMap(store.subject(change.subject.environment, change.subject.canonical), ({ version }) =>
          store.commit({ ...change, subject: { ...change.subject, version } })
        )
      return Context.add(ports, VerificationStore, { ...store, commit })
    }
  },
  "checks the version before it writes, in two steps": {
    noticedBy: /of 200 commits/,
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
    noticedBy: /of 200 commits/,
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
  "folds facts also for a change that conflicts": {
    noticedBy: /in the sum exactly once/,
    plant: (ports) => {
      const store = Context.get(ports, VerificationStore)
      const outbox = Context.get(ports, OutboxStore)
      return Context.add(ports, VerificationStore, {
        ...store,
        commit: (change) =>
          Effect.tapError(store.commit(change), () => outbox.append({ ...leavesNothing, folded: change.folded }))
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
  "remembers how far facts were read, and finds no older one": {
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
  "finds what belongs to another environment": {
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
  "knows the device of a change that conflicts": {
    noticedBy: /of a change that conflicts is nobody's/,
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
  "knows devices only together with a verification": {
    noticedBy: /its person's from the commit/,
    plant: (ports) => {
      const store = Context.get(ports, VerificationStore)
      return Context.add(ports, VerificationStore, {
        ...store,
        commit: (change) => store.commit(change.verification === null ? { ...change, deviceId: null } : change)
      })
    }
  },
  "finds a device in every environment": {
    noticedBy: /its namesake in another/,
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
  "forgets the work that is appended": {
    noticedBy: /its work can be claimed/,
    plant: (ports) => {
      const { append } = Context.get(ports, OutboxStore)
      return Context.add(ports, OutboxStore, { append: (outgoing) => append({ ...outgoing, jobs: [] }) })
    }
  },
  "records again what is appended again": {
    noticedBy: /once more is there once/,
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
  "lets whoever lost the lease complete a job": {
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
  "forgets when the next job falls due": {
    noticedBy: /next moment to look/,
    plant: (ports) =>
      Context.add(ports, JobStore, { ...Context.get(ports, JobStore), nextRunAt: () => Effect.succeed(null) })
  },
  "commits keys without looking at their version": {
    noticedBy: /of 20 commits/,
    plant: (ports) => {
      const store = Context.get(ports, KeyStore)
      const commit: KeyStore["Service"]["commit"] = (change) =>
        Effect.flatMap(store.load(change.environment), (loaded) =>
          store.commit({ ...change, version: loaded?.version ?? change.version })
        )
      return Context.add(ports, KeyStore, { ...store, commit })
    }
  },
  "forgets the last use of a key that changes": {
    noticedBy: /last use only moves forward/,
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
  "gives a key to everybody": {
    noticedBy: /one may run/,
    plant: (ports) =>
      Context.add(ports, IdempotencyStore, {
        ...Context.get(ports, IdempotencyStore),
        begin: ({ now }) => Effect.succeed({ _tag: "Taken", firstAt: now, isRepeat: false })
      })
  },
  "replaces characters it does not know": {
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

/** The promises a storage breaks, of those that are about something. */
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
  it.live(`a storage that ${fault} is noticed`, () =>
    Effect.gen(function* () {
      assert.isNotEmpty(yield* brokenPromises(broken(plant), noticedBy))
    })
  )
}

it.live("a storage without a fault is not blamed", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* brokenPromises(broken((ports) => ports)), [])
  })
)
