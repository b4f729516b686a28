import { Clock, Effect } from "effect"
import type { Millis } from "./Instant.ts"

/** Milliseconds of a clock that nobody sets: for how long something is kept, never for what time it is. */
export const steadyMillis = (clock: Clock.Clock): Millis => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

const steadyClock = (clock: Clock.Clock): Clock.Clock => {
  const millis = () => steadyMillis(clock)
  const nanos = () => clock.monotonicTimeNanosUnsafe()
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
}

/**
 * Has an effect take steady time for the time of day. The library's `Cache` goes by the time of day: a clock that is set
 * back by five minutes would keep a suspended merchant alive for five.
 *
 * @example
 * ```ts
 * const inSteadyTime = yield* steadyTime
 * const get = (id: string) => inSteadyTime(Cache.get(known, id))
 * ```
 */
export const steadyTime: Effect.Effect<<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>> =
  Effect.map(Clock.Clock, (clock) => Effect.provideService(Clock.Clock, steadyClock(clock)))
