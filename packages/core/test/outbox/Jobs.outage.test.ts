import { assert, it } from "@effect/vitest"
import { Clock, Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { JobStore, type Storage, StoreError } from "../../src/index.storage.ts"
import { add, job, kind, left, runner } from "../fixtures/jobs.ts"
import { makeStorage, start, until } from "../fixtures/World.ts"

const lost = Effect.fail(new StoreError({ operation: "JobStore", cause: new Error("connection lost") }))

/** Storage whose job calls can fail. */
const outage = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  const storage: Context.Context<Storage> = yield* makeStorage
  const store = Context.get(storage, JobStore)
  const away = { now: false }
  const unless = <A>(call: Effect.Effect<A, StoreError>): Effect.Effect<A, StoreError> =>
    Effect.suspend(() => (away.now ? lost : call))
  const changed = JobStore.of({
    ...store,
    claim: (...args) => unless(store.claim(...args)),
    complete: (...args) => unless(store.complete(...args)),
    retry: (...args) => unless(store.retry(...args))
  })
  return { away, storage, seen: Context.add(storage, JobStore, changed) }
})

it.effect("a job that storage could not complete is completed once storage is back, without another run", () =>
  Effect.gen(function* () {
    const { away, seen, storage } = yield* outage
    let done = 0
    yield* (yield* runner(seen)).handle(kind, () =>
      Effect.sync(() => {
        done++
        away.now = true
        return { _tag: "Completed" as const }
      })
    )
    yield* add(storage, [job("a")])
    yield* until(Effect.sync(() => done > 0))
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* left(storage), start + 15_000)
    away.now = false
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* left(storage), null)
    yield* TestClock.adjust("30 seconds")
    assert.strictEqual(done, 1)
  }).pipe(Effect.scoped)
)

it.effect("a job whose commit lost its answer is completed once storage is back", () =>
  Effect.gen(function* () {
    const { away, seen, storage } = yield* outage
    const times: Array<number> = []
    const jobs = yield* runner(seen)
    yield* jobs.handle(kind, () =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        times.push(now - start)
        return { _tag: "Completed" as const }
      })
    )
    yield* Effect.flip(
      jobs.commit([job("a")], (jobs) => {
        away.now = true
        return Effect.andThen(add(storage, jobs), lost)
      })
    )
    yield* TestClock.adjust("3 seconds")
    assert.deepStrictEqual(times, [])
    away.now = false
    yield* TestClock.adjust("2 seconds")
    assert.lengthOf(times, 1)
    assert.isAtMost(times[0]!, 5_000)
    assert.strictEqual(yield* left(storage), null)
  }).pipe(Effect.scoped)
)
