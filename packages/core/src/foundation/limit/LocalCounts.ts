import { hours } from "../time/Instant.ts"
import type { SteadyInstant } from "../time/steadyTime.ts"

interface Counted {
  count: number
  readonly until: SteadyInstant
}

const hour = hours(1)

/**
 * Counts in the memory of this process, so that counting writes nothing and many callers of one key never wait for a row.
 * It is looser than a `Window` on purpose: each process counts for itself, an hour begins with the first that is counted,
 * and of more than `mostKeys` keys the one counted first is forgotten.
 */
export class LocalCounts {
  readonly #counted = new Map<string, Counted>()
  readonly #mostKeys: number

  constructor(mostKeys = 50_000) {
    this.#mostKeys = mostKeys
  }

  #live(key: string, now: SteadyInstant): Counted | undefined {
    const counted = this.#counted.get(key)
    if (counted === undefined) return undefined
    if (now < counted.until) return counted
    this.#counted.delete(key)
    return undefined
  }

  /** How long a key that has counted to `limit` has to wait; null while it need not. */
  secondsUntilFree(key: string, limit: number, now: SteadyInstant): number | null {
    const counted = this.#live(key, now)
    return counted === undefined || counted.count < limit ? null : Math.max(1, Math.ceil((counted.until - now) / 1000))
  }

  /** Counts one; answers what takes that one off its hour again. */
  count(key: string, now: SteadyInstant): () => void {
    const counted = this.#live(key, now) ?? this.#begin(key, now)
    counted.count++
    return () => void counted.count--
  }

  #begin(key: string, now: SteadyInstant): Counted {
    const [oldest] = this.#counted.size < this.#mostKeys ? [] : this.#counted.keys()
    if (oldest !== undefined) this.#counted.delete(oldest)
    const counted = { count: 0, until: now + hour }
    this.#counted.set(key, counted)
    return counted
  }
}
