import { Conflict, type Outgoing, type StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import { encode } from "./outboxParts.ts"
import type { OutboxStatement } from "./outboxStatement.ts"
import { ifStorable, int, unstorable } from "./parameters.ts"
import type { PgDatabase, Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import type { PgOutbox } from "./PgOutbox.ts"

/** Builds the parameters when the statement is sent. Throws for a value that cannot be stored: see `text`. */
type Parameters = () => ReadonlyArray<unknown>

const deletedAtOnce = 1_000

/** Sends the statements of one store. Failures name the store and the operation. */
export const queriesOf = (database: PgDatabase["Service"], store: string) => {
  const failed = (operation: string) =>
    Effect.mapError((failure: PgFailure) => failure.toStoreError(`${store}.${operation}`))

  const send = <A>(
    operation: string,
    statement: string,
    parameters: Parameters,
    without: () => Effect.Effect<A, StoreError>,
    of: (rows: ReadonlyArray<Row>) => A
  ) =>
    Effect.suspend(() => {
      const values = ifStorable(parameters)
      return values === null ? without() : failed(operation)(Effect.map(database.query(statement, values), of))
    })

  /** Reads rows. A parameter that cannot be stored matches no row. */
  const rows = <A>(operation: string, statement: string, parameters: Parameters, of: (row: Row) => A) =>
    send<ReadonlyArray<A>>(
      operation,
      statement,
      parameters,
      () => Effect.succeed([]),
      (rows) => rows.map((row) => of(row))
    )

  return {
    failed,
    rows,
    /** Reads one row; null when there is none. */
    row: <A>(operation: string, statement: string, parameters: Parameters, of: (row: Row) => A) =>
      Effect.map(rows(operation, statement, parameters, of), ([row]) => row ?? null),
    /** Writes rows. Returns the rows of its `returning` clause. Fails for a parameter that cannot be stored. */
    write: (operation: string, statement: string, parameters: Parameters) =>
      send<ReadonlyArray<Row>>(
        operation,
        statement,
        parameters,
        () => Effect.fail(unstorable(`${store}.${operation}`)),
        (rows) => rows
      ),
    /** Deletes old rows in batches. The statement returns a row for each; its last parameter is the batch size. */
    purge: Effect.fnUntraced(
      function* (statement: string, before: unknown) {
        let purged = 0
        for (;;) {
          const rows = yield* database.query(statement, [before, int(deletedAtOnce)])
          purged += rows.length
          if (rows.length < deletedAtOnce) return purged
        }
      },
      (effect) => failed("purge")(effect)
    )
  }
}

/**
 * Commits one change of one aggregate. Returns the first row of the statement. Fails with a `Conflict` when there is
 * none, or when a unique name is taken.
 */
export const commitsOf =
  (outbox: PgOutbox, store: string) =>
  (
    operation: string,
    key: string,
    statement: OutboxStatement,
    own: Parameters,
    change: Outgoing
  ): Effect.Effect<Row, Conflict | StoreError> =>
    Effect.suspend(() => {
      const parameters = ifStorable(own)
      if (parameters === null) return Effect.fail(unstorable(`${store}.${operation}`))
      return outbox.run(statement, parameters, [encode(change)]).pipe(
        Effect.mapError((failure) =>
          failure.isTaken ? new Conflict({ key }) : failure.toStoreError(`${store}.${operation}`)
        ),
        Effect.flatMap(([row]) => {
          if (row === undefined) return Effect.fail(new Conflict({ key }))
          outbox.committed(change)
          return Effect.succeed(row)
        })
      )
    })
