import { Conflict, type Outgoing, type StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import { encode } from "./outboxParts.ts"
import type { OutboxStatement } from "./outboxStatement.ts"
import { ifStorable, int, unstorable } from "./parameters.ts"
import type { PgDatabase, Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import type { PgOutbox } from "./PgOutbox.ts"

/** Made when a statement is sent. A value that no row can have ends there: see `text`. */
type Parameters = () => ReadonlyArray<unknown>

const deletedAtOnce = 1_000

/** How one store sends its statements. What fails says which store and operation it was. */
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

  /** Reads rows. A value that no row can have finds none. */
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
    /** Reads one row. */
    row: <A>(operation: string, statement: string, parameters: Parameters, of: (row: Row) => A) =>
      Effect.map(rows(operation, statement, parameters, of), ([row]) => row ?? null),
    /** Writes rows; answers how many, or what is returned of them. A value that no row can have fails. */
    write: (operation: string, statement: string, parameters: Parameters) =>
      send<ReadonlyArray<Row>>(
        operation,
        statement,
        parameters,
        () => Effect.fail(unstorable(`${store}.${operation}`)),
        (rows) => rows
      ),
    /** Deletes old rows, some at a time. The statement returns a row for each; its last parameter is how many at once. */
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
 * Commits one change of one aggregate. It answers the first row of the statement; without one, and where something new
 * has a name that another had first, the change is too late.
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
