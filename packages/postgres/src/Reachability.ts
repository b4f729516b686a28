import { Effect } from "effect"
import type { PgFailure } from "./PgFailure.ts"

/** After a response, this long without a failure ends an outage. Until then, Postgres counts as unreachable. */
const calm = 1_000

/**
 * Detects when Postgres becomes unreachable, and when it recovers. Reports each once, however many statements notice
 * it.
 */
export class Reachability {
  #awaySince: number | null = null
  #failedAt = 0
  readonly #tell: (news: Effect.Effect<void>) => void
  readonly #now: () => number

  /** `tell` runs the log effect; `now` is a steady time in milliseconds. */
  constructor(tell: (news: Effect.Effect<void>) => void, now: () => number = () => performance.now()) {
    this.#tell = tell
    this.#now = now
  }

  /** Observes the outcome of an exchange with Postgres. */
  note(failure: PgFailure | null): void {
    if (failure === null) {
      if (this.#awaySince !== null) this.#answered(this.#awaySince)
    } else if (failure.away) this.#failed(failure)
  }

  #failed(failure: PgFailure): void {
    this.#failedAt = this.#now()
    if (this.#awaySince !== null) return
    this.#awaySince = this.#failedAt
    this.#tell(Effect.logWarning(`${failure.message}: Postgres is unreachable, and requests fail until it is back`))
  }

  #answered(since: number): void {
    const now = this.#now()
    if (now - this.#failedAt < calm) return
    this.#awaySince = null
    this.#tell(Effect.logInfo(`Postgres is reachable again after ${Math.round((now - since) / 1_000)} s`))
  }
}
