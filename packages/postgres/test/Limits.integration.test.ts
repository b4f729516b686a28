import { Limits, type Place } from "@countersign/core"
import { Race } from "@countersign/testkit"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { storage, TestDatabase } from "./TestDatabase.ts"

const environment = "env"
const one: Place = { key: "one", most: 30, limit: "address", countedIn: "storage" }

/** One more process: a pool, batches and turns of its own. */
const process = Effect.flatMap(Effect.scope, (scope) =>
  Layer.buildWithMemoMap(Layer.provide(Limits.layer, storage({ connections: 4 })), Layer.makeMemoMapUnsafe(), scope)
).pipe(Effect.map((context) => Context.get(context, Limits)))

const kept = Effect.gen(function* () {
  const { sql } = yield* TestDatabase
  const rows = yield* sql<{ state: string }>`select state from rate_window where environment = ${environment}`
  return rows.map(({ state }) => (JSON.parse(state) as Array<[number, number]>).reduce((sum, [, n]) => sum + n, 0))
})

it.live("a rate limit is exact across processes that share a Postgres, even while places are returned", () =>
  Effect.gen(function* () {
    const processes = yield* Effect.all([process, process])
    const race = yield* Race.together(200, (index) => processes[index % 2]!.take(environment, [one]))
    assert.strictEqual(race.successes.length, 30)
    assert.isTrue(race.failures.every((error) => error._tag === "RateLimited"))
    assert.deepStrictEqual(race.defects, [])
    assert.deepStrictEqual(yield* kept, [30])

    yield* Effect.forEach(race.successes.slice(0, 10), ({ giveBack }) => giveBack, { concurrency: "unbounded" })
    const again = yield* Race.together(100, (index) => processes[index % 2]!.take(environment, [one]))
    assert.strictEqual(again.successes.length, 10)
    assert.deepStrictEqual(yield* kept, [30])

    // No indexed column changed within the hour, so a busy window is updated in place.
    const { sql } = yield* TestDatabase
    assert.deepStrictEqual(yield* sql`select extract(epoch from saved_in)::int % 3600 as seconds from rate_window`, [
      { seconds: 0 }
    ])
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)
