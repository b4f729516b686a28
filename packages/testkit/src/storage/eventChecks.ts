import type { Event, EventType } from "@countersign/core"
import { EventStore, JobStore, StoreError, Subject, VerificationStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Race from "../Race.ts"
import { append, change, claimFree, event, fresh, freshKind, job, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const record = Effect.fnUntraced(function* (events: ReadonlyArray<Event>) {
  const store = yield* VerificationStore
  yield* store.commit(change(Subject.empty(events[0]!.environment, fresh("91")), { events }))
})

const list = Effect.fnUntraced(function* (
  environment: string,
  { after = null, limit = 100, type = null }: { after?: string | null; limit?: number; type?: EventType | null } = {}
) {
  return yield* (yield* EventStore).list({ environment, type, after, limit })
})

/** The due jobs of one kind. */
const claim = Effect.fnUntraced(function* (kind: string) {
  return yield* claimFree(kind, { lease: 1000 })
})

const keysOf = (jobs: ReadonlyArray<{ readonly key: string }>) => jobs.map(({ key }) => key).toSorted()

/** By id, newest first. */
const newestFirst = (events: ReadonlyArray<Event>) => [...events].sort((a, b) => (a.id < b.id ? 1 : -1))

export const eventChecks = [
  promise(
    "an event is recorded exactly as its change contains it",
    Effect.gen(function* () {
      const data = {
        text: "ü\u0000\ud83d\ude00",
        nested: { list: [1, null, true] },
        ["__proto__"]: { own: 1 },
        number: 1.5
      }
      const one = event(fresh("env"), "delivery.failed", data)
      yield* record([one])
      const [read] = yield* list(one.environment)
      assert.deepStrictEqual(read, one)
      assert.deepStrictEqual(Object.keys(read?.data ?? {}), Object.keys(data))
    })
  ),
  promise(
    "events come newest first, a page at a time, each exactly once",
    Effect.gen(function* () {
      const environment = fresh("env")
      const made = Array.from({ length: 25 }, () => event(environment))
      yield* record(made.slice(0, 20))
      yield* record(made.slice(20))
      const seen: Array<Event> = []
      for (let after: string | null = null; ; ) {
        const page: ReadonlyArray<Event> = yield* list(environment, { after, limit: 10 })
        seen.push(...page)
        if (page.length < 10) break
        after = page.at(-1)!.id
      }
      assert.deepStrictEqual(seen, newestFirst(made))
    })
  ),
  promise(
    "events can be filtered by type, also page by page",
    Effect.gen(function* () {
      const environment = fresh("env")
      const types = ["otp.initiated", "otp.verified", "otp.initiated", "webhook.disabled", "otp.verified"] as const
      const made = types.map((type) => event(environment, type))
      yield* record(made)
      for (const type of ["otp.initiated", "otp.verified", "webhook.disabled", "session.created"] as const) {
        const expected = newestFirst(made.filter((one) => one.type === type))
        assert.deepStrictEqual(yield* list(environment, { type }), expected)
        const [first, ...rest] = expected
        if (first !== undefined) assert.deepStrictEqual(yield* list(environment, { type, after: first.id }), rest)
      }
    })
  ),
  promise(
    "an environment sees only its own events",
    Effect.gen(function* () {
      const [mine, other] = [fresh("env"), fresh("env")]
      const one = event(mine)
      yield* record([one])
      yield* record([event(other)])
      assert.deepStrictEqual(yield* list(mine), [one])
      assert.deepStrictEqual(yield* list(fresh("env")), [])
    })
  ),
  promise(
    "appended events are listed with those that changes recorded, and their jobs can be claimed",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const recorded = event(environment)
      yield* record([recorded])
      const added = [event(environment, "session.created"), event(environment, "otp.verified")]
      const work = [1, 2].map((index) => job(environment, { kind, payload: { index } }))
      yield* append(added, work)
      assert.deepStrictEqual(yield* list(environment), newestFirst([recorded, ...added]))
      assert.deepStrictEqual(yield* list(environment, { type: "session.created" }), added.slice(0, 1))
      const claimed = yield* claim(kind)
      assert.deepStrictEqual(keysOf(claimed), keysOf(work))
      assert.sameMembers(
        claimed.map(({ payload }) => payload["index"]),
        [1, 2]
      )
    })
  ),
  promise(
    "jobs appended with a lease are not claimed before the lease ends",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const held = { ...job(environment, { kind }), leasedUntil: noon + 1, fence: 1, failures: 0 }
      yield* append([event(environment)], [held])
      assert.deepStrictEqual(yield* claim(kind), [])
      assert.isTrue(yield* (yield* JobStore).complete(held))
    })
  ),
  promise(
    "events without jobs, jobs without events, and nothing at all may be appended",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const [one, work] = [event(environment), job(environment, { kind })]
      yield* append([one], [])
      yield* append([], [work])
      yield* append([], [])
      assert.deepStrictEqual(yield* list(environment), [one])
      assert.deepStrictEqual(keysOf(yield* claim(kind)), [work.key])
    })
  ),
  promise(
    "a repeated append stores everything once, unchanged",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const first = event(environment, "session.created", { scope: "sdk" })
      const work = job(environment, { kind, payload: { index: 1 } })
      yield* append([first], [work])
      yield* append([first], [work])
      const second = event(environment)
      yield* append([{ ...first, createdAt: noon + 1 }, second], [{ ...work, payload: { index: 2 } }])
      assert.deepStrictEqual(yield* list(environment), newestFirst([first, second]))
      assert.deepStrictEqual(
        (yield* claim(kind)).map(({ key, payload }) => ({ key, payload })),
        [{ key: work.key, payload: { index: 1 } }]
      )
    })
  ),
  promise(
    "many callers may append concurrently, also the same rows",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const made = Array.from({ length: 60 }, () => ({ one: event(environment), work: job(environment, { kind }) }))
      const race = yield* Race.together(180, (index) => {
        const { one, work } = made[index % 60]!
        return append([one], [work])
      })
      assert.deepStrictEqual([race.successes.length, race.defects], [180, []])
      assert.deepStrictEqual(yield* list(environment, { limit: 300 }), newestFirst(made.map(({ one }) => one)))
      assert.sameMembers(keysOf(yield* claim(kind)), keysOf(made.map(({ work }) => work)))
    })
  ),
  promise(
    "rows that cannot be stored are refused with everything in their append, and harm no other append",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const tried = ["\u0000", "fine"].map((text) => ({
        one: event(environment),
        work: job(environment, { kind, key: `${fresh("send")}${text}` })
      }))
      const exits = yield* Effect.forEach(tried, ({ one, work }) => Effect.exit(append([one], [work])), {
        concurrency: "unbounded"
      })
      const kept = tried.filter((_, index) => Exit.isSuccess(exits[index]!))
      for (const exit of exits) if (Exit.isFailure(exit)) assert.instanceOf(yield* Effect.flip(exit), StoreError)
      assert.include(kept, tried[1]!)
      assert.deepStrictEqual(yield* list(environment), newestFirst(kept.map(({ one }) => one)))
      assert.deepStrictEqual(keysOf(yield* claim(kind)), keysOf(kept.map(({ work }) => work)))
    })
  )
]
