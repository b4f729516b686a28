import { Effect, Latch, type Clock } from "effect"
import type { Instant, Millis } from "../time/Instant.ts"
import { type SteadyInstant, steadyMillis } from "../time/steadyTime.ts"

/** So many looks that find nothing may follow each other at once, and as many in each second after that. */
const mostInVain = 50

/**
 * When to look for work again: when it falls due, when somebody says so, or after a while, but not without end. Work falls
 * due at a time of day, and the wait for it is in steady time: a clock that is set back makes no look later than `atMost`.
 */
export class PollTimer {
  readonly #woken = Latch.makeUnsafe(false)
  /** The time of day at which work was said to fall due, until the next wait reads the clock. */
  #wanted: Instant = Number.POSITIVE_INFINITY
  #soonest: SteadyInstant = Number.POSITIVE_INFINITY
  #left = mostInVain
  #refilledAt: SteadyInstant = 0

  /** There will be something to find at `at`. */
  wake(at: Instant): void {
    this.#wanted = Math.min(this.#wanted, at)
    this.#woken.openUnsafe()
  }

  /** Waits until the next look, after one that found so much and learned of no work before `next`. */
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
