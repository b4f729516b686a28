import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Duration, Effect, Schedule } from "effect"
import { fromSqlError, type PgFailure } from "./PgFailure.ts"
import * as PgSchema from "./PgSchema.ts"
import type { Tls } from "./PgTls.ts"
import { StorageStartError, Unreachable } from "./StorageStartError.ts"

/** SQLSTATEs of a server that is starting, shutting down, or full. */
const passing = new Set(["57P01", "57P02", "57P03", "53300"])

type Refusal = PgFailure | StorageStartError

/** Whether a retry may succeed: a standby may be promoted. A wrong password, name or certificate stays wrong. */
const passes = (refusal: Refusal): boolean => {
  if (refusal._tag === "StorageStartError") return refusal.reason._tag === "ReadOnly"
  const { connection, sqlState } = refusal
  return sqlState === null ? connection === undefined || !connection.startsWith("TLS") : passing.has(sqlState)
}

const connect = (connection: PgConnection.Config, ssl: Tls) => {
  const config = { ...connection, ssl }
  return PgConnection.make(config).pipe(
    Effect.mapError(fromSqlError),
    Effect.map((session) => ({ config, session }))
  )
}

/**
 * Tries the ways in order and keeps the first that connects. When all fail, the first failure is reported, because
 * later ways are only fallbacks. Exception: if the server does not offer TLS, the second failure is the informative
 * one, such as a wrong password.
 */
const firstWay = (connection: PgConnection.Config, [first = false, ...others]: ReadonlyArray<Tls>) =>
  others.reduce(
    (tried, way) =>
      tried.pipe(
        Effect.catch((failure) =>
          Effect.mapError(connect(connection, way), (second) =>
            failure.connection === "TLS_NOT_OFFERED" ? second : failure
          )
        )
      ),
    connect(connection, first)
  )

/**
 * Returns the connection settings of the first way that works, with the search path of our tables. Waits up to
 * `patience` for a server that is unreachable or does not accept writes yet. Logs once when it starts to wait, and once
 * when the server is there.
 */
export const firstContact = (
  connection: PgConnection.Config,
  options: PgSchema.SchemaOptions & { readonly ways: ReadonlyArray<Tls>; readonly patience: Duration.Duration }
): Effect.Effect<PgConnection.Config, StorageStartError> => {
  const { patience } = options
  const attempt: Effect.Effect<PgConnection.Config, Refusal> = Effect.gen(function* () {
    const { config, session } = yield* firstWay(connection, options.ways)
    const query = (statement: string, parameters: ReadonlyArray<unknown>) =>
      Effect.mapError(session.queryValues(statement, parameters), fromSqlError)
    const schema = yield* PgSchema.find({ query }, options)
    return {
      ...config,
      startupParameters: { ...config.startupParameters, search_path: PgSchema.searchPath(schema) }
    }
  }).pipe(Effect.scoped)
  return attempt.pipe(
    Effect.catchIf(
      (refusal) => Duration.toMillis(patience) > 0 && passes(refusal),
      (refusal) =>
        Effect.logWarning(`${refusal.message}; waiting up to ${Duration.format(patience)} for it`).pipe(
          Effect.andThen(
            Effect.retry(attempt, {
              while: passes,
              schedule: Schedule.max([Schedule.spaced("500 millis"), Schedule.during(patience)])
            })
          ),
          Effect.tap(() => Effect.logInfo("Postgres is reachable"))
        )
    ),
    Effect.mapError((failure) =>
      failure._tag === "StorageStartError"
        ? failure
        : new StorageStartError({ reason: new Unreachable({ cause: failure }) })
    )
  )
}
