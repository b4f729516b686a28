import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Duration, Effect, Schedule } from "effect"
import { fromSqlError, type PgFailure } from "./PgFailure.ts"
import type { Tls } from "./PgTls.ts"
import { StorageStartError, Unreachable } from "./StorageStartError.ts"

/** States in which a server is on its way, or full for the moment. */
const passing = new Set(["57P01", "57P02", "57P03", "53300"])

/** Whether it may be otherwise in a moment. A wrong password, name or certificate will not. */
const passes = ({ connection, sqlState }: PgFailure): boolean =>
  sqlState === null ? connection === undefined || !connection.startsWith("TLS") : passing.has(sqlState)

const connect = (connection: PgConnection.Config, ssl: Tls): Effect.Effect<PgConnection.Config, PgFailure> => {
  const config = { ...connection, ssl }
  return Effect.scoped(PgConnection.make(config)).pipe(Effect.mapError(fromSqlError), Effect.as(config))
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
 * The connection in the first of the ways that works; it is used from then on. A server that is not there yet is waited
 * for, as long as `patience`: it is said once that it is away, and once that it is there.
 */
export const firstContact = (
  connection: PgConnection.Config,
  ways: ReadonlyArray<Tls>,
  patience: Duration.Duration
): Effect.Effect<PgConnection.Config, StorageStartError> =>
  firstWay(connection, ways).pipe(
    Effect.catchIf(
      (failure) => Duration.toMillis(patience) > 0 && passes(failure),
      (failure) =>
        Effect.logWarning(`${failure.message}: waiting up to ${Duration.format(patience)} for it`).pipe(
          Effect.andThen(
            Effect.retry(firstWay(connection, ways), {
              while: passes,
              schedule: Schedule.max([Schedule.spaced("500 millis"), Schedule.during(patience)])
            })
          ),
          Effect.tap(() => Effect.logInfo("Postgres is there"))
        )
    ),
    Effect.mapError((cause) => new StorageStartError({ reason: new Unreachable({ cause }) }))
  )
