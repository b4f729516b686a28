import { Effect } from "effect"
import type { PgFailure } from "./PgFailure.ts"

/** SQLSTATEs of a server that answers and takes no writes: a full disk, a broken one, or one that became read-only. */
const refusesWrites: ReadonlySet<string> = new Set(["53100", "58030", "25006"])

/** At most one trial write in this time, in milliseconds, however often health is asked for. */
const trialEvery = 1_000

/**
 * Whether the database takes writes, by the outcome of real ones. It costs nothing while they succeed. Once one was
 * refused, each check tries to write, until that succeeds.
 */
export class WriteHealth {
  #refused: PgFailure | null = null
  #triedAt = Number.NEGATIVE_INFINITY

  /** Looks at how a statement ends. */
  readonly watch = <A>(statement: Effect.Effect<A, PgFailure>): Effect.Effect<A, PgFailure> =>
    Effect.tapError(statement, (failure) =>
      Effect.sync(() => {
        if (failure.sqlState !== null && refusesWrites.has(failure.sqlState)) this.#refused = failure
      })
    )

  /** Fails while writes are refused. `trial` writes something that needs room of its own. */
  readonly check = (trial: Effect.Effect<unknown, PgFailure>): Effect.Effect<void, PgFailure> =>
    Effect.suspend(() => {
      if (this.#refused === null) return Effect.void
      if (performance.now() < this.#triedAt + trialEvery) return Effect.fail(this.#refused)
      this.#triedAt = performance.now()
      return Effect.andThen(
        trial,
        Effect.sync(() => {
          this.#refused = null
          this.#triedAt = Number.NEGATIVE_INFINITY
        })
      )
    })
}
