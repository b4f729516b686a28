import { Clock, Effect } from "effect"
import type { Instant, Millis } from "./Instant.ts"

/**
 * A moment of steady time: milliseconds that only this process can compare, and that no correction of a clock moves.
 * Waits, paces, breakers and windows in memory are kept in it. It is never stored, and never shown.
 */
export type SteadyInstant = number

/** Now, in steady time. */
export const steadyMillis = (clock: Clock.Clock): SteadyInstant => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/** Now, in steady time: for how long something is kept, never for what time it is. */
export const steadyNow: Effect.Effect<SteadyInstant> = Effect.clockWith((clock) =>
  Effect.sync(() => steadyMillis(clock))
)

/** What clocks will show at a moment of steady time, if nobody sets them. */
export const onClock = (at: SteadyInstant, clock: Clock.Clock): Instant =>
  clock.currentTimeMillisUnsafe() + (at - steadyMillis(clock))

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

/** How long something has taken so far. */
export const stopwatch: Effect.Effect<() => Millis> = Effect.clockWith((clock) =>
  Effect.sync(() => {
    const started = steadyMillis(clock)
    return () => steadyMillis(clock) - started
  })
)

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
