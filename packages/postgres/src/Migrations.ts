import * as PgClient from "@effect/sql-pg/PgClient"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlError from "effect/sql/SqlError"
import { tables } from "./migrations/0001_tables.ts"
import { devices } from "./migrations/0002_devices.ts"
import { windows } from "./migrations/0003_windows.ts"
import { expiries } from "./migrations/0004_expiries.ts"
import { webhooks } from "./migrations/0005_webhooks.ts"
import { fromSqlError } from "./PgFailure.ts"
import { MigrationFailed, StorageStartError } from "./StorageStartError.ts"

/** Where Postgres keeps which migrations ran. */
export const migrationsTable = "countersign_migrations"

const statements = (list: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.forEach(list, (text) => sql.unsafe(text), { discard: true }))

/** Every migration by its name, in order. One that was released never changes again. */
export const all = {
  "0001_tables": statements(tables),
  "0002_devices": statements(devices),
  "0003_windows": statements(windows),
  "0004_expiries": statements(expiries),
  "0005_webhooks": statements(webhooks)
}

/** The newest migration this version knows. */
export const latest = Object.keys(all).length

const migrator = Migrator.make({})({ loader: Migrator.fromRecord(all), table: migrationsTable })

/** What failed, without the statement's text and values. */
const describe = (error: SqlError.SqlError | Migrator.MigrationError) => {
  const cause = error._tag === "SqlError" ? error : error.cause
  return SqlError.isSqlError(cause) ? fromSqlError(cause) : error
}

/**
 * Brings the tables to this version's state and says which migrations that took. Several processes may run it at once:
 * one works, the others wait and find nothing to do.
 */
export const run = (connection: PgConnection.Config): Effect.Effect<ReadonlyArray<string>, StorageStartError> =>
  PgClient.make({
    ...connection,
    maxConnections: 1,
    multiplex: false,
    startupParameters: { ...connection.startupParameters, statement_timeout: "5min", lock_timeout: "1min" }
  }).pipe(
    Effect.flatMap((sql) => Effect.provideService(migrator, SqlClient.SqlClient, sql)),
    Effect.provide(Reactivity.layer),
    Effect.scoped,
    Effect.mapBoth({
      onFailure: (error) => new StorageStartError({ reason: new MigrationFailed({ cause: describe(error) }) }),
      onSuccess: (ran) => ran.map(([id, name]) => `${id}_${name}`)
    })
  )
