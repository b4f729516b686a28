import { Clock, Effect } from "effect"
import type { Instant } from "../../foundation/time/Instant.ts"

/** A planned action at a time of the simulated day. */
interface Entry {
  readonly at: Instant
  readonly happens: Effect.Effect<unknown, unknown>
  /** Runs instead when the play ends before this action, because its time has not come or the day is stopped. */
  readonly otherwise: Effect.Effect<unknown, unknown>
}

/**
 * A simulated time that jumps from action to action, so that an hour takes only as long as its work. It never passes
 * the real time. Its `clock` provides it as Effect's `Clock`.
 */
export class Agenda {
  #now: Instant
  readonly #entries: Array<Entry> = []
  readonly #real: Clock.Clock
  readonly clock: Clock.Clock

  constructor(real: Clock.Clock, begins: Instant) {
    this.#real = real
    this.#now = begins
    const millis = () => this.#now
    const nanos = () => BigInt(this.#now) * 1_000_000n
    this.clock = {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: real.monotonicTimeNanos,
      sleep: (duration) => real.sleep(duration)
    }
  }

  get now(): Instant {
    return this.#now
  }

  get realNow(): Instant {
    return this.#real.currentTimeMillisUnsafe()
  }

  /** Advances its time, as while a caller waits for an answer. */
  pass(millis: number): void {
    this.#now = Math.min(this.#now + Math.floor(millis), this.realNow)
  }

  add(at: Instant, happens: Entry["happens"], otherwise: Entry["otherwise"] = Effect.void): void {
    let place = this.#entries.length
    while (place > 0 && this.#entries[place - 1]!.at > at) place--
    this.#entries.splice(place, 0, { at, happens, otherwise })
  }

  /** Runs the planned actions, and those that they add, in order of time. */
  readonly play: Effect.Effect<void, unknown> = Effect.gen({ self: this }, function* () {
    for (let entry = this.#entries[0]; entry !== undefined; entry = this.#entries[0]) {
      if (entry.at > this.realNow) return
      this.#entries.shift()
      this.#now = Math.max(this.#now, Math.floor(entry.at))
      yield* Effect.provideService(entry.happens, Clock.Clock, this.clock)
    }
  }).pipe(Effect.onExit(() => Effect.forEach(this.#entries.splice(0), ({ otherwise }) => Effect.ignore(otherwise))))
}
