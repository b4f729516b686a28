import type { StoreError } from "@countersign/core/storage"
import { Effect, type Scope } from "effect"
import * as Batcher from "./Batcher.ts"
import type { PgDatabase, Row } from "./PgDatabase.ts"
import { storable, texts } from "./parameters.ts"

/**
 * Reads rows by key, usually environment and id. One statement carries many callers' keys: it gets an array for each
 * part of the key, and returns the position of each row first. `of` decodes the row.
 *
 * Returns at most one row per key. A key that Postgres cannot store has no row. Without a row the result is `absent`, or
 * null.
 */
export const lookup: <A, B = null>(
  database: PgDatabase["Service"],
  operation: string,
  statement: string,
  of: (row: Row, key: ReadonlyArray<string>) => A,
  absent?: (key: ReadonlyArray<string>) => B
) => Effect.Effect<(...key: ReadonlyArray<string>) => Effect.Effect<A | B, StoreError>, never, Scope.Scope> =
  Effect.fnUntraced(function* <A, B>(
    database: PgDatabase["Service"],
    operation: string,
    statement: string,
    of: (row: Row, key: ReadonlyArray<string>) => A,
    absent: (key: ReadonlyArray<string>) => B = () => null as B
  ) {
    const batcher = yield* Batcher.make<ReadonlyArray<string>, Row | null>({
      operation,
      keyOf: (key) => key.join("\u0000"),
      sameKey: "share",
      // The environment owns a lookup. Without an environment, the key owns it.
      ownerOf: (key) => key[0]!,
      run: (keys) =>
        Effect.map(
          database.query(
            statement,
            keys[0]!.map((_, i) => texts(keys.map((key) => key[i]!)))
          ),
          (rows) => {
            const found = new Array<Row | null>(keys.length).fill(null)
            for (const row of rows) found[(row[0] as number) - 1] = row
            return found
          }
        )
    })
    const width = new Set(statement.match(/\$\d+/g)).size
    return (...given: ReadonlyArray<string>) => {
      const key = given.length === width ? given : given.slice(0, width)
      return key.every(storable)
        ? Effect.map(batcher.submit(key), (row) => (row === null ? absent(key) : of(row, key)))
        : Effect.succeed(absent(key))
    }
  })
