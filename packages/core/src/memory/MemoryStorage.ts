import { Context, Effect, Layer, PubSub } from "effect"
import type { Event } from "../event/Event.ts"
import { EventStore } from "../event/EventStore.ts"
import { IdempotencyStore } from "../idempotency/IdempotencyStore.ts"
import type { NewJob } from "../outbox/Job.ts"
import { JobStore } from "../outbox/JobStore.ts"
import { WindowStore } from "../limit/WindowStore.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import { Conflict } from "../storage/Conflict.ts"
import { StorageHealth } from "../storage/StorageHealth.ts"
import type { Instant } from "../time/Instant.ts"
import type { VerificationChange } from "../verification/VerificationChange.ts"
import * as Subject from "../verification/Subject.ts"
import * as Verification from "../verification/Verification.ts"
import { VerificationStore } from "../verification/VerificationStore.ts"
import { WebhookStore } from "../webhook/WebhookStore.ts"
import { makeIdempotencyStore } from "./MemoryIdempotencyStore.ts"
import { MemoryJobs } from "./MemoryJobStore.ts"
import { memoryKey } from "./MemoryKey.ts"
import { makeMerchantStore } from "./MemoryMerchantStore.ts"
import { makeWebhookStore } from "./MemoryWebhookStore.ts"
import { makeWindowStore } from "./MemoryWindowStore.ts"

/** Every port that keeps something. A storage provides all of them, because one change writes through several. */
export type StoragePorts =
  | VerificationStore
  | JobStore
  | EventStore
  | MerchantStore
  | IdempotencyStore
  | WebhookStore
  | WindowStore
  | StorageHealth

interface SubjectRow {
  readonly version: number
  readonly state: string
}

interface VerificationRow {
  readonly environment: string
  readonly id: string
  readonly canonical: string
  readonly expiresAt: Instant
  readonly awaitsExpiry: boolean
  readonly state: string
}

interface EventRow {
  readonly environment: string
  readonly id: string
  readonly type: string
  readonly text: string
}

const encodeEvent = (event: Event): EventRow => ({
  environment: event.environment,
  id: event.id,
  type: event.type,
  text: JSON.stringify(event)
})

/** Aggregates and events. They are kept encoded, so that nobody can change one by holding on to what was loaded. */
const makeAggregates = (jobs: MemoryJobs) => {
  const subjects = new Map<string, SubjectRow>()
  const verifications = new Map<string, VerificationRow>()
  const orders = new Map<string, string>()
  const devices = new Map<string, string>()
  const events = new Map<string, Map<string, EventRow>>()

  const subject = (environment: string, canonical: string) => {
    const row = subjects.get(memoryKey(environment, canonical))
    return row === undefined
      ? Subject.empty(environment, canonical)
      : Subject.decode(environment, canonical, row.version, row.state)
  }

  const record = (rows: ReadonlyArray<EventRow>) => {
    for (const row of rows) {
      const mine = events.get(row.environment) ?? new Map<string, EventRow>()
      events.set(row.environment, mine)
      if (!mine.has(row.id)) mine.set(row.id, row)
    }
  }

  const commit = (change: VerificationChange): boolean => {
    const { environment, canonical, version } = change.subject
    const key = memoryKey(environment, canonical)
    if ((subjects.get(key)?.version ?? 0) !== version) return false
    const verification = change.verification === null ? null : Verification.encode(change.verification)
    const recorded = change.events.map(encodeEvent)
    subjects.set(key, { version: version + 1, state: Subject.encode(change.subject) })
    if (change.verification !== null && verification !== null) {
      const { id } = change.verification
      verifications.set(memoryKey(environment, id), {
        environment,
        id,
        canonical,
        expiresAt: change.verification.expiresAt,
        awaitsExpiry: Verification.awaitsExpiry(change.verification),
        state: verification
      })
      if (change.orderId !== null) orders.set(memoryKey(environment, change.orderId), id)
    }
    if (change.deviceId !== null) devices.set(memoryKey(environment, change.deviceId), canonical)
    record(recorded)
    if (change.done !== null) jobs.remove(change.done)
    jobs.add(change.jobs)
    return true
  }

  const verificationStore: VerificationStore["Service"] = {
    subject: (environment, canonical) => Effect.sync(() => subject(environment, canonical)),
    load: (environment, id) =>
      Effect.sync(() => {
        const row = verifications.get(memoryKey(environment, id))
        return row === undefined
          ? null
          : {
              verification: Verification.decode(environment, id, row.state),
              subject: subject(environment, row.canonical)
            }
      }),
    find: (environment, id) =>
      Effect.sync(() => {
        const row = verifications.get(memoryKey(environment, id))
        return row === undefined ? null : Verification.decode(environment, id, row.state)
      }),
    findIdByOrder: (environment, orderId) => Effect.sync(() => orders.get(memoryKey(environment, orderId)) ?? null),
    expired: ({ after, limit, until }) =>
      Effect.sync(() =>
        [...verifications.values()]
          .filter(
            (one) =>
              one.awaitsExpiry &&
              one.expiresAt <= until &&
              (one.expiresAt > after.expiresAt || (one.expiresAt === after.expiresAt && one.id > after.id))
          )
          .sort((a, b) => a.expiresAt - b.expiresAt || (a.id < b.id ? -1 : 1))
          .slice(0, limit)
          .map(({ environment, expiresAt, id }) => ({ environment, expiresAt, id }))
      ),
    findByDevice: (environment, id) => Effect.sync(() => devices.get(memoryKey(environment, id)) ?? null),
    commit: (change) =>
      Effect.suspend(() =>
        commit(change) ? Effect.void : Effect.fail(new Conflict({ key: change.subject.canonical }))
      )
  }

  const append = (added: ReadonlyArray<Event>, work: ReadonlyArray<NewJob>) => {
    record(added.map(encodeEvent))
    jobs.add(work)
  }

  const eventStore: EventStore["Service"] = {
    get: (environment, id) =>
      Effect.sync(() => {
        const row = events.get(environment)?.get(id)
        return row === undefined ? null : (JSON.parse(row.text) as Event)
      }),
    list: ({ after, environment, limit, type }) =>
      Effect.sync(() =>
        [...(events.get(environment)?.values() ?? [])]
          .filter((row) => (type === null || row.type === type) && (after === null || row.id < after))
          .sort((a, b) => (a.id < b.id ? 1 : -1))
          .slice(0, limit)
          .map((row) => JSON.parse(row.text) as Event)
      ),
    append: (added, work) => Effect.sync(() => append(added, work))
  }

  return { append, eventStore, verificationStore }
}

const make = Effect.gen(function* () {
  const jobs = new MemoryJobs(yield* PubSub.sliding<void>(1))
  const { append, eventStore, verificationStore } = makeAggregates(jobs)
  return Context.make(VerificationStore, VerificationStore.of(verificationStore)).pipe(
    Context.add(EventStore, eventStore),
    Context.add(JobStore, jobs.service),
    Context.add(MerchantStore, makeMerchantStore()),
    Context.add(IdempotencyStore, makeIdempotencyStore()),
    Context.add(WebhookStore, makeWebhookStore(jobs, append)),
    Context.add(WindowStore, makeWindowStore()),
    Context.add(StorageHealth, { check: Effect.void })
  )
})

/**
 * Every store in this process's memory: for tests, and to try things out. It keeps the promises of the ports, except
 * that everything is gone when the process ends. Each build of the layer is a storage of its own.
 *
 * @example
 * ```ts
 * import { MemoryStorage, VerificationStore } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const store = yield* VerificationStore
 *   return yield* store.subject("env_1", "919876543210") // version 0: nobody saw this person yet
 * }).pipe(Effect.provide(MemoryStorage.layer))
 * ```
 */
export const layer: Layer.Layer<StoragePorts> = Layer.effectContext(make)
