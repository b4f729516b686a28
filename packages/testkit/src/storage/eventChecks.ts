import { type Event, EventStore, type EventType, Subject, VerificationStore } from "@countersign/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { change, event, fresh } from "./fixtures.ts"
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

/** By id, newest first. */
const newestFirst = (events: ReadonlyArray<Event>) => [...events].sort((a, b) => (a.id < b.id ? 1 : -1))

export const eventChecks = [
  promise(
    "an event is recorded exactly as the change carried it",
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
    "a type alone is listed, also page by page",
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
    "one environment's events are never another's",
    Effect.gen(function* () {
      const [mine, other] = [fresh("env"), fresh("env")]
      const one = event(mine)
      yield* record([one])
      yield* record([event(other)])
      assert.deepStrictEqual(yield* list(mine), [one])
      assert.deepStrictEqual(yield* list(fresh("env")), [])
    })
  )
]
