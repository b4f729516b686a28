import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Event } from "../../src/index.ts"
import {
  changeOf,
  Conflict,
  EventStore,
  type Job,
  OutboxStore,
  noRecords,
  type Storage,
  StoreError,
  Subject,
  VerificationStore
} from "../../src/index.storage.ts"
import { withStore } from "../fixtures/FaultyStore.ts"
import { job, kindOf } from "../fixtures/jobs.ts"
import { build, makeStorage, start, until } from "../fixtures/World.ts"
import type { JustCommitted } from "../../src/foundation/outbox/JustCommitted.ts"
import { type JobOutcome, Jobs } from "../../src/foundation/outbox/Jobs.ts"
import { Outbox } from "../../src/foundation/outbox/Outbox.ts"
import { Subscribers } from "../../src/foundation/outbox/Subscribers.ts"

const completed: JobOutcome = { _tag: "Completed" }

const happened: Event = {
  id: "evt_1",
  environment: "env",
  type: "session.created",
  createdAt: start,
  data: { expiresAt: "2030-01-07T10:10:00.000Z", scope: "sdk" }
}

/** The job that delivers an event to its subscribers. */
const telling = ({ id }: Event): Job.Job => ({ ...job(`telling ${id}`), kind: "webhook" })

const somebody = Subject.empty("env", "919876543210")

/** An outbox on a storage, with the input of its process's handlers. */
const makeOutbox = Effect.fnUntraced(function* (
  storage: Context.Context<Storage>,
  jobsFor: Subscribers["Service"]["jobsFor"] = (events) => Effect.succeed(events.map(telling))
) {
  const given: Array<{ readonly key: string; readonly fresh: JustCommitted }> = []
  const context = yield* build(
    Outbox.layer.pipe(
      Layer.provide(Layer.succeed(Subscribers, { jobsFor })),
      Layer.provideMerge(Jobs.layer),
      Layer.provideMerge(Layer.succeedContext(storage))
    )
  )
  for (const name of ["send", "webhook"]) {
    yield* Context.get(context, Jobs).handle(kindOf(name), ({ key }, fresh) =>
      Effect.sync(() => {
        given.push({ key, fresh })
        return completed
      })
    )
  }
  return {
    given,
    outbox: Context.get(context, Outbox),
    commit: yield* Effect.provideContext(Outbox.committer(VerificationStore), context)
  }
})

const recorded = (storage: Context.Context<Storage>) =>
  Context.get(storage, EventStore).list({ environment: "env", type: null, after: null, limit: 10 })

const begin = Effect.andThen(TestClock.setTime(start), makeStorage)

describe("the outbox", () => {
  it.effect("returns the stored state, and passes it to the handlers of the change's jobs and webhooks", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { commit, given } = yield* makeOutbox(storage)
      const stored = yield* commit(changeOf(null, somebody, null, null, { events: [happened], jobs: [job("a")] }))
      assert.deepStrictEqual(stored, { subject: { ...somebody, version: 1 }, verification: null })
      yield* until(Effect.sync(() => given.length === 2))
      assert.deepStrictEqual(given.map(({ key }) => key).toSorted(), ["send:a", "send:telling evt_1"])
      for (const { fresh } of given) {
        assert.strictEqual(fresh.of(VerificationStore), stored)
        assert.deepStrictEqual(fresh.events, [happened])
      }
      const again = yield* commit(changeOf(null, stored.subject, null, null))
      assert.strictEqual(again.subject.version, 2)
    })
  )

  it.effect("passes no state of one store to readers of another", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { given, outbox } = yield* makeOutbox(storage)
      yield* outbox.append({ events: [happened] })
      yield* until(Effect.sync(() => given.length === 1))
      assert.isUndefined(given[0]!.fresh.of(VerificationStore))
      assert.deepStrictEqual(given[0]!.fresh.events, [happened])
    })
  )

  it.effect("stores and starts nothing for a change with a conflict", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { commit, given } = yield* makeOutbox(storage)
      const late = changeOf(null, { ...somebody, version: 1 }, null, null, { events: [happened], jobs: [job("a")] })
      assert.instanceOf(yield* Effect.flip(commit(late)), Conflict)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([given, yield* recorded(storage)], [[], []])
    })
  )

  it.effect("stores nothing when the webhook subscribers cannot be read", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const lost = new StoreError({ operation: "WebhookStore.list", cause: new Error("connection lost") })
      const { commit, outbox } = yield* makeOutbox(storage, () => Effect.fail(lost))
      assert.strictEqual(yield* Effect.flip(outbox.append({ events: [happened] })), lost)
      assert.strictEqual(yield* Effect.flip(commit(changeOf(null, somebody, null, null, { events: [happened] }))), lost)
      assert.deepStrictEqual(yield* recorded(storage), [])
      assert.strictEqual((yield* Context.get(storage, VerificationStore).subject("env", somebody.canonical)).version, 0)
    })
  )

  it.effect("starts a job that another process committed, without that process's state", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { given } = yield* makeOutbox(storage)
      yield* Context.get(storage, OutboxStore).append({
        ...noRecords,
        events: [happened],
        jobs: [telling(happened)]
      })
      yield* until(Effect.sync(() => given.length === 1))
      assert.deepStrictEqual([given[0]!.fresh.events, given[0]!.fresh.of(VerificationStore)], [[], undefined])
    })
  )

  it.effect("adds missing jobs, and starts none that is already running", () =>
    Effect.gen(function* () {
      const storage = yield* begin
      const { given, outbox } = yield* makeOutbox(storage)
      const elsewhere = { ...job("a"), leasedUntil: start + 30_000, fence: 1, failures: 0 }
      yield* Context.get(storage, OutboxStore).append({ ...noRecords, jobs: [elsewhere] })
      yield* outbox.addMissing({ jobs: [job("a"), job("b")], done: null })
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(
        given.map(({ key }) => key),
        ["send:b"]
      )
    })
  )

  it.effect("propagates the store's own failures", () =>
    Effect.gen(function* () {
      const storage = withStore(yield* begin, () => ({ commit: () => Effect.die(new Error("bug")) }))
      const { commit, given } = yield* makeOutbox(storage)
      assert.isTrue(
        Exit.hasDies(yield* Effect.exit(commit(changeOf(null, somebody, null, null, { jobs: [job("a")] }))))
      )
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(given, [])
    })
  )
})
