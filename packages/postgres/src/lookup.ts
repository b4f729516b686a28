import type { StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import type { PgDatabase, Row } from "./PgDatabase.ts"
import { storable, texts } from "./parameters.ts"

/** What every lookup names. */
interface Key {
  readonly environment: string
  readonly id: string
}

/**
 * Reads rows by environment and id, many callers' in one statement: it is given the two as arrays, and answers with the
 * position of each in front.
 *
 * One row per key at most. What could not be written is not there.
 */
export const lookup = Effect.fnUntraced(function* (
  database: PgDatabase["Service"],
  operation: string,
  statement: string
) {
  const batcher = yield* Batcher.make<Key, Row | null>({
    operation,
    keyOf: ({ environment, id }) => `${environment}\u0000${id}`,
    sameKey: "share",
    run: (keys) =>
      Effect.map(
        database.query(statement, [texts(keys.map((key) => key.environment)), texts(keys.map((key) => key.id))]),
        (rows) => {
          const found = new Array<Row | null>(keys.length).fill(null)
          for (const row of rows) found[(row[0] as number) - 1] = row
          return found
        }
      )
  })
  return (environment: string, id: string): Effect.Effect<Row | null, StoreError> =>
    storable(environment) && storable(id) ? batcher.submit({ environment, id }) : Effect.succeed(null)
})
