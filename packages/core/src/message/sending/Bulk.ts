import { Context } from "effect"
import type { Millis } from "../../foundation/time/Instant.ts"
import type { SteadyInstant } from "../../foundation/time/steadyTime.ts"
import { Pace } from "./Pace.ts"

/** What may be asked for. */
export const bulkRange = { least: 1, most: 1_000 }

/** How many messages a second go in bulk over a channel that states no pace, in each process. */
export const BulkPerSecond = Context.Reference<number>("@countersign/core/sending/BulkPerSecond", {
  defaultValue: () => 50
})

/** When there is no place, somebody's answer makes one at a moment that nobody knows. */
const placesOpen: Millis = 20

/** What else goes through the same channel. */
export interface Traffic {
  /** How many sends at once the channel takes, and how many of those that somebody waits for it has. */
  readonly places: number
  readonly running: number
  readonly pace: Pace | null
}

/**
 * What one channel sends in bulk, beside messages that somebody waits for: at half of the provider's pace, or at a pace of
 * its own; never ahead of a turn that others could take, in a quarter of the places, and with a quarter left free.
 */
export class Bulk {
  readonly perSecond: number
  readonly #pace: Pace
  #sending = 0

  constructor(limit: number | undefined, usual: number) {
    this.perSecond = limit === undefined ? usual : limit / 2
    this.#pace = new Pace(this.perSecond)
  }

  /** How long until one may be asked for again; 0 when one may go now. */
  wait({ pace, places, running }: Traffic, now: SteadyInstant): Millis {
    const own = Math.max(1, Math.floor(places / 4))
    if (this.#sending >= own || (running > 0 && running + this.#sending >= places - own)) return placesOpen
    return Math.max(this.#pace.wait(now), pace?.wait(now) ?? 0)
  }

  /** One goes now, after `wait` said so. It must be given back with `ended`. */
  begin({ pace }: Traffic, now: SteadyInstant): void {
    this.#pace.turn(now)
    pace?.turnInBulk(now)
    this.#sending++
  }

  ended(): void {
    this.#sending--
  }
}
