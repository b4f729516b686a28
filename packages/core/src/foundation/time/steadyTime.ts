import { type Clock, Effect } from "effect"
import type { Instant, Millis } from "./Instant.ts"

/**
 * A point in steady (monotonic) time, in milliseconds. Clock changes do not move it, and only this process can compare
 * it. Waits, paces, circuit breakers and windows in memory use it. Never stored and never displayed.
 */
export type SteadyInstant = number

/** The current steady time. */
export const steadyMillis = (clock: Clock.Clock): SteadyInstant => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/** The current steady time, for durations and never for the time of day. */
export const steadyNow: Effect.Effect<SteadyInstant> = Effect.clockWith((clock) =>
  Effect.sync(() => steadyMillis(clock))
)

/** The wall clock time at a point in steady time, if the clock is not changed. */
export const onClock = (at: SteadyInstant, clock: Clock.Clock): Instant =>
  clock.currentTimeMillisUnsafe() + (at - steadyMillis(clock))

/** A clock whose wall clock is the steady time of `clock`. */
export const steadyClock = (clock: Clock.Clock): Clock.Clock => {
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

/** Measures the time since it was started. */
export const stopwatch: Effect.Effect<() => Millis> = Effect.clockWith((clock) =>
  Effect.sync(() => {
    const started = steadyMillis(clock)
    return () => steadyMillis(clock) - started
  })
)
