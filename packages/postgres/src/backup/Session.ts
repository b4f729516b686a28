import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, type Scope } from "effect"
import type { Row } from "../PgDatabase.ts"
import { fromSqlError, type PgFailure } from "../PgFailure.ts"

/** One connection, which may take its time. */
export type Session = (statement: string, parameters?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

/** A row may be as long as Postgres lets it be in practice: a text of 1 MB is the longest that the service writes. */
const longestMessage = 256 * 1024 * 1024

/** A connection of its own for what reads or writes everything. */
export const open = (config: PgConnection.Config): Effect.Effect<Session, PgFailure, Scope.Scope> =>
  Effect.map(
    PgConnection.make({
      ...config,
      multiplex: false,
      maxMessageSize: longestMessage,
      startupParameters: {
        ...config.startupParameters,
        statement_timeout: "0",
        lock_timeout: "10s",
        idle_in_transaction_session_timeout: "0",
        // Whole tables are read here, and nowhere else.
        enable_seqscan: "on",
        plan_cache_mode: "auto"
      }
    }).pipe(Effect.mapError(fromSqlError)),
    (connection) =>
      (statement, parameters = []) =>
        Effect.runPromise(Effect.mapError(connection.queryValues(statement, parameters, false), fromSqlError))
  )
