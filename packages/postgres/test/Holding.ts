import { PgConnection } from "@effect/sql-pg"
import { Effect, Schedule } from "effect"
import { TestDatabase } from "./TestDatabase.ts"

/** A connection that keeps a table locked, or its rows, until the scope ends or it is told `rollback`. */
export const holding = Effect.fnUntraced(function* (statement: string) {
  const connection = yield* PgConnection.make((yield* TestDatabase).connection)
  yield* connection.query("begin")
  yield* connection.query(statement)
  return connection.query("rollback")
})

/** Until the question has rows for an answer. */
export const seen = (question: string) =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    const rows = yield* sql.unsafe(question)
    if (rows.length === 0) return yield* Effect.fail("not yet")
  }).pipe(Effect.retry(Schedule.spaced("10 millis")))
