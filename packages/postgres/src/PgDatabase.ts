import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import { StorageShare } from "@countersign/core/storage"
import {
  Cause,
  Context,
  Duration,
  Effect,
  Exit,
  type Fiber,
  Layer,
  Option,
  type Queue,
  type Scope,
  Semaphore
} from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { fromSqlError, PgFailure } from "./PgFailure.ts"
import { Reachability } from "./Reachability.ts"
import { WriteHealth } from "./WriteHealth.ts"

/** A result row, by position. */
export type Row = ReadonlyArray<unknown>

export interface PgDatabaseOptions {
  readonly connection: PgConnection.Config
  readonly connections: number
  /** How many idle connections stay open. The default is one. */
  readonly kept?: number | undefined
  /** The longest that an exchange may take, including the wait for a connection. */
  readonly deadline: Duration.Duration
}

/**
 * A pool of connections that each run one statement at a time. A statement carries many callers' work, so there are few
 * of them. Separate connections let their commits run in parallel.
 */
export class PgDatabase extends Context.Service<
  PgDatabase,
  {
    /** Runs a statement. It ends before the deadline, whatever Postgres does. */
    readonly query: (text: string, parameters: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<Row>, PgFailure>
    /** Whether the database accepts writes, judged by real writes. */
    readonly writes: WriteHealth
    /** A queue of notifications on a separate connection. It fails when the connection is lost. */
    readonly listen: (
      channel: string
    ) => Effect.Effect<Queue.Dequeue<PgConnection.Notification, SqlError>, PgFailure, Scope.Scope>
  }
>()("@countersign/postgres/PgDatabase") {
  static readonly layer = (options: PgDatabaseOptions): Layer.Layer<PgDatabase, PgFailure> =>
    Layer.effect(PgDatabase, make(options))
}

const make = Effect.fnUntraced(function* (options: PgDatabaseOptions) {
  const pool = yield* PgPool.make({
    ...options.connection,
    maxConnections: options.connections,
    minConnections: options.kept ?? 1,
    idleTimeout: "10 minutes"
  }).pipe(Effect.mapError(fromSqlError))
  const millis = Duration.toMillis(options.deadline)
  // Statements run in separate fibers, without the loggers of the fiber that built this.
  const reachability = new Reachability(Effect.runForkWith(yield* Effect.context<never>()))

  const writes = new WriteHealth()

  // Reserves the other connections for logins and their jobs, however many lists are requested.
  const lists = Semaphore.makeUnsafe(Math.max(1, Math.floor(options.connections / 2)))

  const note = (failure: PgFailure | null): void => {
    reachability.note(failure)
    writes.note(failure)
  }

  const run = (text: string, parameters: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Row>, PgFailure> =>
    within(
      millis,
      pool.use((connection) => connection.queryValues(text, parameters)),
      note
    )

  const query = (text: string, parameters: ReadonlyArray<unknown>) =>
    Effect.withFiber<ReadonlyArray<Row>, PgFailure>((fiber) =>
      Context.get(fiber.context, StorageShare) === "lists"
        ? lists.withPermit(run(text, parameters))
        : run(text, parameters)
    )

  const listen = (channel: string) =>
    Effect.flatMap(pool.reserve, (connection) => connection.listen(channel)).pipe(Effect.mapError(fromSqlError))

  return PgDatabase.of({ query, writes, listen })
})

/**
 * Bounds an exchange with Postgres by real time, even when a test replaces the `Clock`. The caller gets its failure
 * immediately, and the connection is cleaned up afterwards. `note` observes the outcome.
 */
export const within = <A>(
  millis: number,
  exchange: Effect.Effect<A, SqlError>,
  note: (failure: PgFailure | null) => void = () => {}
): Effect.Effect<A, PgFailure> =>
  Effect.callback<A, PgFailure>((resume) => {
    const fiber: Fiber.Fiber<A, SqlError> = Effect.runFork(exchange)
    let isOver = false
    const end = (failure: PgFailure | null, outcome: Effect.Effect<A, PgFailure>) => {
      isOver = true
      clearTimeout(timer)
      note(failure)
      resume(outcome)
    }
    const fail = (failure: PgFailure) => end(failure, Effect.fail(failure))
    const timer = setTimeout(() => {
      fail(new PgFailure({ reason: "Timeout", sqlState: null }))
      fiber.interruptUnsafe()
    }, millis)
    fiber.addObserver((exit) => {
      if (isOver) return
      if (Exit.isSuccess(exit)) return end(null, Effect.succeed(exit.value))
      const error = Cause.findErrorOption(exit.cause)
      if (Option.isSome(error)) return fail(fromSqlError(error.value))
      clearTimeout(timer)
      resume(Effect.failCause(Cause.map(exit.cause, fromSqlError)))
    })
    return Effect.sync(() => {
      isOver = true
      clearTimeout(timer)
      fiber.interruptUnsafe()
    })
  })
