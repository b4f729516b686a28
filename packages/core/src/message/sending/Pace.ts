import type { Millis } from "../../foundation/time/Instant.ts"
import type { SteadyInstant } from "../../foundation/time/steadyTime.ts"

/** How far ahead of its turn a send may be admitted. */
const horizon: Millis = 1_000

/**
 * Spreads sends evenly over time, to use a provider's rate limit without exceeding it. Every send gets its own turn, in
 * order of request. Two sends may go together only if one of them is bulk. A caller that asks only when `room` allows
 * waits at most a second.
 */
export class Pace {
  readonly #interval: Millis
  #next: SteadyInstant = 0
  /** How much earlier the next turn may be, because a bulk message took the one before it. */
  #lent: Millis = 0

  constructor(perSecond: number) {
    this.#interval = 1_000 / perSecond
  }

  /** Takes the next turn and returns how long to wait for it. */
  turn(now: SteadyInstant): Millis {
    const at = Math.max(this.#next - this.#lent, now)
    this.#next = Math.max(this.#next, now) + this.#interval
    this.#lent = 0
    return Math.max(0, Math.ceil(at - now))
  }

  /**
   * Takes the current turn for a bulk message. The next single send waits no longer than it would without this one. The
   * turn after that makes up for it.
   */
  turnInBulk(now: SteadyInstant): void {
    this.#next = Math.max(this.#next, now) + this.#interval
    this.#lent = this.#interval
  }

  /** Returns the time until the next turn, without taking it. */
  wait(now: SteadyInstant): Millis {
    return Math.max(0, Math.ceil(this.#next - now))
  }

  /** Returns the number of turns within the next second. */
  room(now: SteadyInstant): number {
    return Math.max(0, Math.ceil((now + horizon - Math.max(this.#next, now)) / this.#interval))
  }

  /** The turns of half a second. Fewer are not worth loading jobs for. */
  get worth(): number {
    return Math.max(1, Math.floor(horizon / this.#interval / 2))
  }

  /** Returns when this many turns will be available, if none is taken before. */
  opens(turns: number): SteadyInstant {
    return Math.floor(this.#next - horizon + (turns - 1) * this.#interval) + 1
  }
}
