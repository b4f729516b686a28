import { Context } from "effect"
import type { Millis } from "../../foundation/time/Instant.ts"
import type { SteadyInstant } from "../../foundation/time/steadyTime.ts"
import { Pace } from "./Pace.ts"

/** The allowed values of `BulkPerSecond`. */
export const bulkRange = { least: 1, most: 1_000 }

/** How many bulk messages a second each process sends over a channel without its own pace. */
export const BulkPerSecond = Context.Reference<number>("@countersign/core/sending/BulkPerSecond", {
  defaultValue: () => 50
})

/** How long to wait for a free slot. A running send frees one at an unknown moment. */
const placesOpen: Millis = 20

/** The other traffic of the same channel. */
export interface Traffic {
  /** How many concurrent sends the channel allows, and how many single sends are running. */
  readonly places: number
  readonly running: number
  readonly pace: Pace | null
}

/**
 * Paces the bulk messages of one channel beside its single messages. Bulk runs at half of the provider's pace, or at
 * its own pace. It never takes a turn that a single message could use. It uses at most a quarter of the slots and
 * leaves another quarter free.
 */
export class Bulk {
  readonly perSecond: number
  readonly #pace: Pace
  #sending = 0

  constructor(limit: number | undefined, usual: number) {
    this.perSecond = limit === undefined ? usual : limit / 2
    this.#pace = new Pace(this.perSecond)
  }

  /** Returns how long to wait before asking again; 0 when a bulk message may go now. */
  wait({ pace, places, running }: Traffic, now: SteadyInstant): Millis {
    const own = Math.max(1, Math.floor(places / 4))
    if (this.#sending >= own || (running > 0 && running + this.#sending >= places - own)) return placesOpen
    return Math.max(this.#pace.wait(now), pace?.wait(now) ?? 0)
  }

  /** Starts a bulk send after `wait` returned 0. End it with `ended`. */
  begin({ pace }: Traffic, now: SteadyInstant): void {
    this.#pace.turn(now)
    pace?.turnInBulk(now)
    this.#sending++
  }

  ended(): void {
    this.#sending--
  }
}
