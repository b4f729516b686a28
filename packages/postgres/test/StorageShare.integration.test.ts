import { StorageShare } from "@countersign/core/storage"
import { assert, it } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer } from "effect"
import { PgDatabase } from "../src/PgDatabase.ts"
import { TestDatabase } from "./TestDatabase.ts"

it.live("lists use at most half of the connections, and a login never waits behind them", () =>
  Effect.gen(function* () {
    const { connection, sql } = yield* TestDatabase
    const pool = yield* Layer.build(PgDatabase.layer({ connection, connections: 4, deadline: Duration.seconds(20) }))
    const database = Context.get(pool, PgDatabase)
    const slow = database.query("select pg_sleep(15)", [])
    const lists = yield* Effect.forEach(Array.from({ length: 20 }), () =>
      Effect.forkChild(Effect.provideService(slow, StorageShare, "lists"))
    )
    const waiting = Effect.map(
      sql.unsafe<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'"
      ),
      ([row]) => row?.n
    )
    while ((yield* waiting) !== 2) yield* Effect.sleep(5)
    const logins = yield* Effect.forEach(Array.from({ length: 10 }), () => database.query("select 1", []), {
      concurrency: "unbounded"
    })
    assert.lengthOf(logins, 10)
    assert.strictEqual(yield* waiting, 2)
    yield* Fiber.interruptAll(lists)
  }).pipe(Effect.provide(TestDatabase.layer), Effect.scoped)
)
