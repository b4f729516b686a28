import { hours } from "../time/Instant.ts"
import type { SteadyInstant } from "../time/steadyTime.ts"

interface Counted {
  count: number
  readonly until: SteadyInstant
}

const hour = hours(1)

/**
 * Counts refused requests in the memory of this process, so that a flood of them writes nothing anywhere. It is looser
 * than `Limits` on purpose: each process counts for itself, an hour begins with the first refusal, and of more than
 * `most` keys the one counted first is forgotten.
 */
export class Refusals {
  readonly #counted = new Map<string, Counted>()
  readonly #most: number

  constructor(most = 50_000) {
    this.#most = most
  }

  #live(key: string, now: SteadyInstant): Counted | undefined {
    const counted = this.#counted.get(key)
    if (counted === undefined) return undefined
    if (now < counted.until) return counted
    this.#counted.delete(key)
    return undefined
  }

  /** How long a key that was refused `limit` times has to wait; null while it need not. */
  secondsUntilFree(key: string, limit: number, now: SteadyInstant): number | null {
    const counted = this.#live(key, now)
    return counted === undefined || counted.count < limit ? null : Math.max(1, Math.ceil((counted.until - now) / 1000))
  }

  /** Counts one refusal. */
  count(key: string, now: SteadyInstant): void {
    const counted = this.#live(key, now)
    if (counted !== undefined) return void counted.count++
    const [oldest] = this.#counted.size < this.#most ? [] : this.#counted.keys()
    if (oldest !== undefined) this.#counted.delete(oldest)
    this.#counted.set(key, { count: 1, until: now + hour })
  }
}
