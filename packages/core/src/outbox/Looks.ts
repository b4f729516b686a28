import { Clock, Effect, Latch } from "effect"
import type { Instant, Millis } from "../time/Instant.ts"

/** So many looks that find nothing may follow each other at once, and as many in each second after that. */
const mostInVain = 50

/** When to look for work again: when it falls due, when somebody says so, or after a while, but not without end. */
export class Looks {
  readonly #woken = Latch.makeUnsafe(false)
  #soonest: Instant = Number.POSITIVE_INFINITY
  #left = mostInVain
  #refilledAt: Instant = 0

  /** Somebody knows that there will be something to find then. */
  wake(at: Instant): void {
    this.#soonest = Math.min(this.#soonest, at)
    this.#woken.openUnsafe()
  }

  /** Waits until the next look, after one that found so much and learned of no work before `next`. */
  wait(found: number, next: Instant | null, atMost: Millis): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      this.#left = Math.min(mostInVain, this.#left + ((now - this.#refilledAt) * mostInVain) / 1_000)
      this.#refilledAt = now
      if (found === 0) this.#left -= 1
      const earliest = this.#left >= 0 ? now : now + Math.ceil(1_000 / mostInVain)
      this.#soonest = Math.min(this.#soonest, next ?? Number.POSITIVE_INFINITY, now + atMost)
      return this.#until(earliest)
    })
  }

  #until(earliest: Instant): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const wait = Math.max(this.#soonest, earliest) - now
      if (wait <= 0) {
        this.#soonest = Number.POSITIVE_INFINITY
        return Effect.void
      }
      this.#woken.closeUnsafe()
      return Effect.andThen(
        Effect.raceFirst(this.#woken.await, Effect.sleep(wait)),
        Effect.suspend(() => this.#until(earliest))
      )
    })
  }
}
