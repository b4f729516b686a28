import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { PgStorage } from "../src/index.ts"
import { TestDatabase } from "./TestDatabase.ts"

const insert = `
insert into recipient (environment, campaign_id, number, version, phone, open, status, state)
select 'env ' || $1, 'cmp_' || n % 3, $2 + n, 1, '+91', 1, 'PENDING', '{}' from generate_series(1, 20) n`

const change = `
update recipient set status = (array['SENT', 'FAILED', 'READ'])[1 + number % 3], version = version + 1
where environment = 'env ' || $1 and number % 2 = 0 and status = 'PENDING'`

/** Returns a campaign if the sum of its slots differs from the number of its rows. */
const wrong = `
select environment, campaign_id, status, sum(n)::int as off from (
  select environment, campaign_id, status, count(*) as n from recipient group by 1, 2, 3
  union all select environment, campaign_id, status, -many from recipient_count
) r group by 1, 2, 3 having sum(n) <> 0`

it.live("the counts of a campaign equal its recipients, however many processes write and delete them", () =>
  Effect.gen(function* () {
    const { sql, url } = yield* TestDatabase
    yield* PgStorage.migrate({ url })
    const write = (writer: number) =>
      Effect.forEach(
        Array.from({ length: 10 }, (_, round) => round),
        (round) =>
          Effect.andThen(sql.unsafe(insert, [round % 2, 1000 * writer + 100 * round]), sql.unsafe(change, [round % 2])),
        { discard: true }
      )
    yield* Effect.all([write(0), write(1)], { concurrency: "unbounded" })
    assert.deepStrictEqual(yield* sql.unsafe(wrong), [])
    assert.isAbove((yield* sql`select from recipient_count`).length, 0)
    yield* sql`delete from recipient where campaign_id = 'cmp_1' or number % 2 = 0`
    assert.deepStrictEqual(yield* sql.unsafe(wrong), [])
    yield* sql`delete from recipient`
    assert.deepStrictEqual(yield* sql`select from recipient_count`, [])
  }).pipe(Effect.provide(TestDatabase.layer), Effect.scoped)
)
