import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, type Scope } from "effect"
import type { Row } from "../PgDatabase.ts"
import { fromSqlError, type PgFailure } from "../PgFailure.ts"

/** Runs statements on one connection, without time limits. */
export type Session = (statement: string, parameters?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

/** The longest row to expect: the service writes texts of up to 1 MB. */
const longestMessage = 256 * 1024 * 1024

/** Opens a separate connection for reading or writing everything. */
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
        // Only backups scan whole tables.
        enable_seqscan: "on",
        plan_cache_mode: "auto"
      }
    }).pipe(Effect.mapError(fromSqlError)),
    (connection) =>
      (statement, parameters = []) =>
        Effect.runPromise(Effect.mapError(connection.queryValues(statement, parameters, false), fromSqlError))
  )
