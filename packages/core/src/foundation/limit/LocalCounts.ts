import { AgingMap } from "../time/AgingMap.ts"
import { hours } from "../time/Instant.ts"
import type { SteadyInstant } from "../time/steadyTime.ts"

interface Counted {
  count: number
  readonly until: SteadyInstant
}

const hour = hours(1)

/**
 * Counts in this process's memory, so that counting writes nothing and callers of one key never wait for a row. It is
 * deliberately less exact than a `Window`: each process counts separately, and the hour starts with the first count.
 * Above `mostKeys` keys, the oldest one is dropped.
 */
export class LocalCounts {
  readonly #counted = new AgingMap<Counted>()
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

  /** The waiting time of a key that has reached `limit`; null below the limit. */
  secondsUntilFree(key: string, limit: number, now: SteadyInstant): number | null {
    const counted = this.#live(key, now)
    return counted === undefined || counted.count < limit ? null : Math.max(1, Math.ceil((counted.until - now) / 1000))
  }

  /** How often a key was counted in its hour. */
  countOf(key: string, now: SteadyInstant): number {
    return this.#live(key, now)?.count ?? 0
  }

  /** Adds one to the count. Returns the function that subtracts it again. */
  count(key: string, now: SteadyInstant): () => void {
    const counted = this.#live(key, now) ?? this.#begin(key, now)
    counted.count++
    return () => void counted.count--
  }

  #begin(key: string, now: SteadyInstant): Counted {
    const { oldest } = this.#counted
    if (oldest !== null && this.#counted.size >= this.#mostKeys) this.#counted.delete(oldest.key)
    const counted = { count: 0, until: now + hour }
    this.#counted.set(key, counted)
    return counted
  }
}
