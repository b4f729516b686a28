import { Effect, Latch, type Clock } from "effect"
import type { Instant, Millis } from "../time/Instant.ts"
import { type SteadyInstant, steadyMillis } from "../time/steadyTime.ts"

/** How many empty polls may follow each other immediately, and how many more each second allows. */
const mostInVain = 50

/**
 * Decides when to poll for jobs: when a job falls due, on a wake-up, or after an interval. Limits the rate of empty
 * polls.
 *
 * Jobs fall due by the wall clock, but the wait uses steady time: a clock that is set back delays no poll beyond
 * `atMost`.
 */
export class PollTimer {
  readonly #woken = Latch.makeUnsafe(false)
  /** The earliest due time by the wall clock, until the next wait converts it to steady time. */
  #wanted: Instant = Number.POSITIVE_INFINITY
  #soonest: SteadyInstant = Number.POSITIVE_INFINITY
  #left = mostInVain
  #refilledAt: SteadyInstant = 0

  /** Requests a poll at `at`. */
  wake(at: Instant): void {
    this.#wanted = Math.min(this.#wanted, at)
    this.#woken.openUnsafe()
  }

  /** Waits until the next poll. `found` is the result of the last one; `next` is the next due time it reported. */
  wait(found: number, next: Instant | null, atMost: Millis): Effect.Effect<void> {
    return Effect.clockWith((clock) => {
      const now = steadyMillis(clock)
      this.#left = Math.min(mostInVain, this.#left + ((now - this.#refilledAt) * mostInVain) / 1_000)
      this.#refilledAt = now
      if (found === 0) this.#left -= 1
      const earliest = this.#left >= 0 ? now : now + Math.ceil(1_000 / mostInVain)
      this.#wanted = Math.min(this.#wanted, next ?? Number.POSITIVE_INFINITY)
      this.#soonest = now + atMost
      return this.#until(earliest, clock)
    })
  }

  #until(earliest: SteadyInstant, clock: Clock.Clock): Effect.Effect<void> {
    return Effect.suspend(() => {
      const now = steadyMillis(clock)
      this.#soonest = Math.min(this.#soonest, now + (this.#wanted - clock.currentTimeMillisUnsafe()))
      this.#wanted = Number.POSITIVE_INFINITY
      const wait = Math.max(this.#soonest, earliest) - now
      if (wait <= 0) return Effect.void
      this.#woken.closeUnsafe()
      return Effect.andThen(
        Effect.raceFirst(this.#woken.await, Effect.sleep(wait)),
        Effect.suspend(() => this.#until(earliest, clock))
      )
    })
  }
}
