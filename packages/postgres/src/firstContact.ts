import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Duration, Effect, Schedule } from "effect"
import { fromSqlError, type PgFailure } from "./PgFailure.ts"
import * as PgSchema from "./PgSchema.ts"
import type { Tls } from "./PgTls.ts"
import { StorageStartError, Unreachable } from "./StorageStartError.ts"

/** States in which a server is on its way, or full for the moment. */
const passing = new Set(["57P01", "57P02", "57P03", "53300"])

type Refusal = PgFailure | StorageStartError

/** Whether it may be otherwise in a moment: a standby may be promoted. A wrong password, name or certificate will not. */
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
 * The first way that works. What the first way met is told, because the second is only there for its sake; but a server
 * without TLS met nothing yet: only the second way hears that the password is wrong.
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
 * The connection in the first of the ways that works, with the search path that makes its sessions find our tables; it is
 * used from then on. A server that is not there yet, or takes no writes yet, is waited for, as long as `patience`: it is
 * said once that it is away, and once that it is there.
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
        Effect.logWarning(`${refusal.message}: waiting up to ${Duration.format(patience)} for it`).pipe(
          Effect.andThen(
            Effect.retry(attempt, {
              while: passes,
              schedule: Schedule.max([Schedule.spaced("500 millis"), Schedule.during(patience)])
            })
          ),
          Effect.tap(() => Effect.logInfo("Postgres is there"))
        )
    ),
    Effect.mapError((failure) =>
      failure._tag === "StorageStartError"
        ? failure
        : new StorageStartError({ reason: new Unreachable({ cause: failure }) })
    )
  )
}
