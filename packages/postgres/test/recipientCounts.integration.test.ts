import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { migrationsUpTo } from "../src/backup/ourTables.ts"
import * as Migrations from "../src/Migrations.ts"
import * as Migrator from "../src/Migrator.ts"
import { TestDatabase } from "./TestDatabase.ts"

const insert = `
insert into recipient (environment, campaign_id, number, version, phone, open, status, state)
select 'env ' || $1, 'cmp_' || n % 3, $2 + n, 1, '+91', 1, 'PENDING', '{}' from generate_series(1, 20) n`

const change = `
update recipient set status = (array['SENT', 'FAILED', 'READ'])[1 + number % 3], version = version + 1
where environment = 'env ' || $1 and number % 2 = 0 and status = 'PENDING'`

/** Differs where the sum of a campaign's slots is not the number of its rows. */
const wrong = `
select environment, campaign_id, status, sum(n)::int as off from (
  select environment, campaign_id, status, count(*) as n from recipient group by 1, 2, 3
  union all select environment, campaign_id, status, -many from recipient_count
) r group by 1, 2, 3 having sum(n) <> 0`

it.live(
  "recipients that an older process writes before, during and after an upgrade are all in their campaign's counts",
  () =>
    Effect.gen(function* () {
      const { connection, sql } = yield* TestDatabase
      yield* Migrator.run(connection, migrationsUpTo(33))
      yield* sql.unsafe("set search_path to countersign, public")
      for (let round = 0; round < 5; round++) yield* sql.unsafe(insert, [0, 1000 * round])
      yield* sql.unsafe(change, [0])
      let rounds = 0
      const writer = yield* Effect.forkScoped(
        Effect.forever(
          Effect.suspend(() =>
            sql
              .unsafe(insert, [rounds % 2, 100_000 + 100 * rounds++])
              .pipe(Effect.andThen(sql.unsafe(change, [rounds % 2])))
          )
        )
      )
      while (rounds < 5) yield* Effect.sleep(2)
      yield* Migrator.run(connection)
      const after = rounds
      while (rounds < after + 5) yield* Effect.sleep(2)
      writer.interruptUnsafe()
      assert.deepStrictEqual(yield* sql.unsafe(wrong), [])
      const [{ many } = { many: 0 }] = yield* sql.unsafe<{ many: number }>(
        "select count(*)::int as many from recipient_count"
      )
      assert.isAbove(many, 0)

      // Cut off before it was noted, the whole list runs again.
      for (const statement of Migrations.all["0037_bounds"].statements) {
        if (typeof statement === "string") yield* sql.unsafe(statement)
      }
      assert.deepStrictEqual(yield* sql.unsafe(wrong), [])
    }).pipe(Effect.provide(TestDatabase.layer), Effect.scoped)
)
