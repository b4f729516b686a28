import type { Event } from "@countersign/core"
import { EventStore, Subject, VerificationStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Race from "../Race.ts"
import { append, change, claimFree, claimLanes, event, fresh, freshKind, job, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const list = Effect.fnUntraced(function* (environment: string) {
  return yield* (yield* EventStore).list({ environment, type: null, after: null, limit: 1_000 })
})

const newestFirst = (events: ReadonlyArray<Event>) => [...events].sort((a, b) => (a.id < b.id ? 1 : -1))

/** Appends without an aggregate, and lookups of single events. */
export const outboxChecks = [
  promise(
    "an event is found by its id, exactly as recorded, and only in its environment",
    Effect.gen(function* () {
      const events = yield* EventStore
      const environment = fresh("env")
      const changed = event(environment, "otp.verified", { text: "ü\u0000\ud83d\ude00", ["__proto__"]: { own: 1 } })
      const appended = event(environment, "session.created", { scope: "sdk" })
      yield* (yield* VerificationStore).commit(change(Subject.empty(environment, fresh("91")), { events: [changed] }))
      yield* append([appended], [])
      for (const one of [changed, appended]) {
        assert.deepStrictEqual(yield* events.get(environment, one.id), one)
        assert.isNull(yield* events.get(fresh("env"), one.id))
        assert.isNull(yield* events.get(environment, `${one.id}0`))
        assert.isNull(yield* events.get(environment, one.id.slice(0, -1)))
      }
      for (const nothing of ["", "evt_", "\u0000", "\ud800"]) assert.isNull(yield* events.get(environment, nothing))
    })
  ),
  promise(
    "many concurrent readers of events each get their own",
    Effect.gen(function* () {
      const events = yield* EventStore
      const environments = [fresh("env"), fresh("env")]
      const made = Array.from({ length: 200 }, (_, index) => event(environments[index % 2]!, "webhook.test", { index }))
      yield* Effect.forEach(made, (one) => append([one], []), { concurrency: "unbounded", discard: true })
      const race = yield* Race.together(600, (index) => {
        const one = made[index % 200]!
        return events.get(environments[index < 400 ? index % 2 : (index + 1) % 2]!, one.id)
      })
      assert.deepStrictEqual(race.failures, [])
      assert.deepStrictEqual(race.successes.slice(0, 400), [...made, ...made])
      assert.isTrue(race.successes.slice(400).every((found) => found === null))
    })
  ),
  promise(
    "events and their jobs are recorded together and once, however often the commit is tried",
    Effect.gen(function* () {
      const environment = fresh("env")
      const kind = freshKind()
      const made = [event(environment), event(environment, "webhook.test"), event(environment)]
      const plain = job(environment, { kind })
      const inLane = job(environment, { kind, lane: fresh("lane"), payload: { eventId: made[0]!.id } })
      const race = yield* Race.together(10, () => append(made, [plain, inLane]))
      assert.strictEqual(race.successes.length, 10)
      assert.deepStrictEqual(yield* list(environment), newestFirst(made))
      const leased = { leasedUntil: noon + 1_000, fence: 1, failures: 0 }
      assert.deepStrictEqual(yield* claimFree(kind, { lease: 1_000 }), [{ ...plain, ...leased }])
      assert.deepStrictEqual(yield* claimLanes(kind, { lease: 1_000 }), [{ ...inLane, ...leased }])
      // Only jobs, and nothing at all.
      const alone = job(environment, { kind })
      yield* append([], [alone])
      yield* append([], [])
      assert.deepStrictEqual(yield* claimFree(kind, { lease: 1_000 }), [{ ...alone, ...leased }])
      assert.strictEqual((yield* list(environment)).length, 3)
    })
  ),
  promise(
    "events that cannot be recorded are refused whole, and harm no other change in their batch",
    Effect.gen(function* () {
      const events = yield* EventStore
      const kind = freshKind()
      const names = Array.from({ length: 40 }, () => fresh("env"))
      const bad = (index: number) => index % 10 === 3
      const made = names.map((environment, index) => event(bad(index) ? `${environment}\u0000` : environment))
      const work = names.map((environment) => job(environment, { kind }))
      const race = yield* Race.together(40, (index) => append([made[index]!], [work[index]!]))
      const claimed = yield* claimFree(kind)
      const keys = new Set(claimed.map(({ key }) => key))
      for (const [index, exit] of race.exits.entries()) {
        assert.isTrue(Exit.isSuccess(exit) || bad(index))
        const one = made[index]!
        assert.deepStrictEqual(yield* events.get(one.environment, one.id), Exit.isSuccess(exit) ? one : null)
        assert.strictEqual(keys.has(work[index]!.key), Exit.isSuccess(exit))
      }
    })
  )
]
