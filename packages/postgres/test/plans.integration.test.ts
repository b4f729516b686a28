import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { quiet } from "../src/commitStatement.ts"
import { bury, complete, retry } from "../src/PgJobStore.ts"
import { settings } from "../src/settings.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

/** Statements that end or change jobs whose keys they know. */
const byKey = { commit: quiet, complete, retry, bury }

/** A table of jobs that fall due, as it is before and after Postgres has looked at it. */
const backlogs = {
  "an empty table": "select 1",
  "a backlog nobody counted yet": `insert into job (key, environment, kind, payload, run_at, attempt)
    select 'waiting:' || i, 'e', 'send', '{}', now(), 1 from generate_series(1, 5000) i`,
  "a backlog with statistics": "analyze job"
}

it.live("jobs are ended by their key, however many fall due: no plan walks through those that wait", () =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* Effect.provide(Effect.void, storage())
        const session = Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`)
        for (const [when, prepare] of Object.entries(backlogs)) {
          yield* sql.unsafe(prepare)
          for (const [name, statement] of Object.entries(byKey)) {
            const rows = yield* sql.withTransaction(
              Effect.gen(function* () {
                for (const one of session) yield* sql.unsafe(one.replace("set ", "set local "))
                yield* sql.unsafe("set local plan_cache_mode = force_generic_plan")
                yield* sql.unsafe(`prepare planned as ${statement}`)
                const count = Math.max(...Array.from(statement.matchAll(/\$(\d+)/g), ([, n]) => Number(n)))
                const nothing = Array.from({ length: count }, () => "null").join(", ")
                const plan = yield* sql.unsafe<{ "QUERY PLAN": string }>(`explain execute planned(${nothing})`)
                yield* sql.unsafe("deallocate planned")
                return plan
              })
            )
            const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
            assert.notMatch(plan, /job_due|Seq Scan on job/, `${name} before ${when}`)
            assert.match(plan, /job_pkey/, `${name} before ${when}`)
          }
        }
      })
    )
  }).pipe(Effect.provide(TestDatabase.layer))
)
