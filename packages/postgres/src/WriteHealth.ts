import { Effect } from "effect"
import type { PgFailure } from "./PgFailure.ts"

/** SQLSTATEs of a server that responds and accepts no writes: a full or broken disk, or a read-only server. */
const refusesWrites: ReadonlySet<string> = new Set(["53100", "58030", "25006"])

/** The shortest interval between two trial writes in milliseconds, however often health is checked. */
const trialEvery = 1_000

/**
 * Whether the database accepts writes, judged by real writes. It costs nothing while they succeed. After a refused
 * write, each check tries to write until that succeeds.
 */
export class WriteHealth {
  #refused: PgFailure | null = null
  #triedAt = Number.NEGATIVE_INFINITY

  /** Observes the outcome of a statement. */
  note(failure: PgFailure | null): void {
    if (failure !== null && failure.sqlState !== null && refusesWrites.has(failure.sqlState)) this.#refused = failure
  }

  /** Fails while writes are refused. `trial` writes something that needs space. */
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
