import type { Millis } from "../../foundation/time/Instant.ts"
import type { SteadyInstant } from "../../foundation/time/steadyTime.ts"

/** How far ahead of its turn a send may be let in. */
const horizon: Millis = 1_000

/**
 * Spreads sends evenly over time, so that a provider's limit is used and not passed. Every send gets its own turn, in
 * the order of asking; two at once only where one of them is in bulk. Who asks no more often than there is room waits no longer than a second.
 */
export class Pace {
  readonly #interval: Millis
  #next: SteadyInstant = 0
  /** By how much sooner the next turn may be, because the one before it was taken in bulk. */
  #lent: Millis = 0

  constructor(perSecond: number) {
    this.#interval = 1_000 / perSecond
  }

  /** How long the next send has to wait for its turn, which is taken with this. */
  turn(now: SteadyInstant): Millis {
    const at = Math.max(this.#next - this.#lent, now)
    this.#next = Math.max(this.#next, now) + this.#interval
    this.#lent = 0
    return Math.max(0, Math.ceil(at - now))
  }

  /**
   * Takes the turn of now for somebody who gives way to others: whoever comes next waits no longer than without this, and
   * the one after them makes up for it.
   */
  turnInBulk(now: SteadyInstant): void {
    this.#next = Math.max(this.#next, now) + this.#interval
    this.#lent = this.#interval
  }

  /** How long until the next turn, which is not taken. */
  wait(now: SteadyInstant): Millis {
    return Math.max(0, Math.ceil(this.#next - now))
  }

  /** How many turns there are within the next second. */
  room(now: SteadyInstant): number {
    return Math.max(0, Math.ceil((now + horizon - Math.max(this.#next, now)) / this.#interval))
  }

  /** The turns of half a second: fewer at a time are not worth fetching. */
  get worth(): number {
    return Math.max(1, Math.floor(horizon / this.#interval / 2))
  }

  /** From when on there are so many turns, if none is taken meanwhile. */
  opens(turns: number): SteadyInstant {
    return Math.floor(this.#next - horizon + (turns - 1) * this.#interval) + 1
  }
}
