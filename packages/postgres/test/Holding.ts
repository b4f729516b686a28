import { PgConnection } from "@effect/sql-pg"
import { Effect, Schedule } from "effect"
import { TestDatabase } from "./TestDatabase.ts"

/** Opens a connection that holds the locks of `statement`, until the scope ends or the returned `rollback` runs. */
export const holding = Effect.fnUntraced(function* (statement: string) {
  const connection = yield* PgConnection.make((yield* TestDatabase).connection)
  yield* connection.query("begin")
  yield* connection.query(statement)
  return connection.query("rollback")
})

/** Waits until `question` returns rows. */
export const seen = (question: string) =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    const rows = yield* sql.unsafe(question)
    if (rows.length === 0) return yield* Effect.fail("not yet")
  }).pipe(Effect.retry(Schedule.spaced("10 millis")))
