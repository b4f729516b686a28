import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Exit, type Scope } from "effect"
import type { Migration } from "./Migration.ts"
import * as Migrations from "./Migrations.ts"
import { fromSqlError, type PgFailure } from "./PgFailure.ts"
import { int, text } from "./parameters.ts"
import { migrationLock } from "./PgSchema.ts"
import { MigrationFailed, StorageStartError, WrongSchema } from "./StorageStartError.ts"
import * as TableState from "./TableState.ts"

/**
 * Polls the lock instead of waiting for it. A waiting statement has a snapshot, and `create index concurrently` waits
 * for every snapshot, so both would wait forever.
 */
const tryLock = `select pg_try_advisory_lock(${migrationLock})`
const unlock = `select pg_advisory_unlock(${migrationLock})`
const askEvery = 100
const sayFirst = 1_000
const sayEvery = 5_000

/** A statement that queues for a table's lock blocks every later statement, so it gives up soon and retries. */
const lockTimeout = "300ms"
const firstPause = 500
const longestPause = 10_000

const createTable = `
create table if not exists ${Migrations.migrationsTable} (
  migration_id integer primary key, created_at timestamptz not null default now(), name text not null
)`
const record = `insert into ${Migrations.migrationsTable} (migration_id, name) values ($1, $2)`

/** Polls until the result is true, and logs every few seconds what it waits for. */
export const untilTrue = <E, R>(ask: Effect.Effect<boolean, E, R>, waitsFor: string): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    for (let waited = 0; !(yield* ask); waited += askEvery) {
      if (waited % sayEvery === sayFirst) yield* Effect.logInfo(waitsFor)
      yield* Effect.sleep(askEvery)
    }
  })

/** A separate connection: its lock ends with it, however the process ends. */
class Session {
  readonly #connection: PgConnection.PgConnection
  constructor(connection: PgConnection.PgConnection) {
    this.#connection = connection
  }

  readonly query = (statement: string, parameters: ReadonlyArray<unknown> = []) =>
    Effect.mapError(this.#connection.queryValues(statement, parameters, false), fromSqlError)

  readonly #all = (statements: Migration["statements"]): Effect.Effect<void, PgFailure> =>
    Effect.forEach(
      statements,
      (statement) =>
        typeof statement === "string"
          ? this.query(statement)
          : Effect.flatMap(this.query(statement.each), (rows) => this.#all(rows.map(([step]) => String(step)))),
      { discard: true }
    )

  readonly #recorded = (name: string) =>
    this.query(record, [int(Migrations.numberOf(name)), text(name.slice(name.indexOf("_") + 1))])

  readonly #inTransaction = (name: string, migration: Migration) =>
    this.#all(["begin", `set local lock_timeout = '${lockTimeout}'`, ...migration.statements]).pipe(
      Effect.andThen(this.#recorded(name)),
      Effect.onExit((exit) => (Exit.isSuccess(exit) ? this.query("commit") : Effect.ignore(this.query("rollback"))))
    )

  /**
   * Runs in one transaction with its record in the migrations table. Outside a transaction the record is written last.
   */
  readonly migrate = (name: string, migration: Migration): Effect.Effect<void, PgFailure> => {
    if (!migration.inTransaction)
      return Effect.asVoid(Effect.andThen(this.#all(migration.statements), this.#recorded(name)))
    const attempt = (pause: number): Effect.Effect<void, PgFailure> =>
      this.#inTransaction(name, migration).pipe(
        Effect.asVoid,
        Effect.catchIf(
          ({ sqlState }) => sqlState === lockNotAvailable,
          () =>
            Effect.logInfo("A migration waits for a transaction that uses its tables", { migration: name }).pipe(
              Effect.andThen(Effect.sleep(pause)),
              Effect.andThen(Effect.suspend(() => attempt(Math.min(2 * pause, longestPause))))
            )
        )
      )
    return attempt(firstPause)
  }
}

const lockNotAvailable = "55P03"

const connect = Effect.fnUntraced(function* (
  config: PgConnection.Config
): Effect.fn.Return<Session, PgFailure, Scope.Scope> {
  const connection = yield* PgConnection.make({
    ...config,
    multiplex: false,
    // Filling a new column may take an hour. The lock it needs is bounded where it is taken.
    startupParameters: { ...config.startupParameters, statement_timeout: "0", lock_timeout: "0" }
  }).pipe(Effect.mapError(fromSqlError))
  const session = new Session(connection)
  // Otherwise a statement continues after its process was killed, and holds the lock. Some systems do not support this
  // check.
  yield* Effect.ignore(session.query("select set_config('client_connection_check_interval', '1s', false)"))
  return session
})

export interface RunOptions {
  /** Set by a restore, which migrates tables that carry its note. Everyone else is refused while the note is there. */
  readonly restoring?: boolean | undefined
}

/**
 * Runs the migrations that the tables have not had, in order, each in its own commit, and returns their names. Also
 * runs a migration that is older than one that already ran. One process works while the others wait. Then they find
 * nothing to do, or continue where a killed process stopped. Other sessions wait no longer than a migration holds its
 * own tables.
 */
export const run = (
  config: PgConnection.Config,
  migrations: Migrations.Migrations = Migrations.all,
  { restoring = false }: RunOptions = {}
): Effect.Effect<ReadonlyArray<string>, StorageStartError> =>
  Effect.gen(function* () {
    const session = yield* connect(config)
    yield* untilTrue(
      Effect.map(session.query(tryLock), ([row]) => row?.[0] === true),
      "Another process migrates the tables; waiting for it"
    )
    yield* session.query(createTable)
    const state = TableState.of(yield* session.query(TableState.query()), migrations)
    if (state.unknown.length > 0 || (state.isRestoring && !restoring)) return yield* WrongSchema.of(state)
    const { found, missing } = state
    for (const name of missing) {
      const after = Migrations.numberOf(name) < found ? found : null
      yield* Effect.mapError(
        session.migrate(name, migrations[name]!),
        (cause) => new MigrationFailed({ migration: name, after, copy: null, cause })
      )
    }
    yield* session.query(unlock)
    return missing
  }).pipe(
    Effect.scoped,
    Effect.mapError((failure) => {
      const reason =
        failure._tag === "PgFailure"
          ? new MigrationFailed({ migration: null, after: null, copy: null, cause: failure })
          : failure
      return new StorageStartError({ reason })
    })
  )
