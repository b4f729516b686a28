import { Clock, Effect, Layer } from "effect"

/** Returns the time in milliseconds since 1970, like `Date`. */
export interface PlainClock {
  now(): number
}

/** The time, for tests: something with `now()`, or an Effect `Clock`. */
export type ClockOption = PlainClock | Clock.Clock

const isEffect = (clock: ClockOption): clock is Clock.Clock => "currentTimeMillisUnsafe" in clock

const reading = (clock: PlainClock, machine: Clock.Clock): Clock.Clock => {
  const millis = () => Math.floor(clock.now())
  const nanos = () => BigInt(millis()) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: machine.monotonicTimeNanos,
    sleep: (duration) => machine.sleep(duration)
  }
}

/** A layer that provides the clock. Only reading the time is replaced: sleeping uses the machine's clock. */
export const layer = (clock: ClockOption): Layer.Layer<never> =>
  isEffect(clock)
    ? Layer.succeed(Clock.Clock, clock)
    : Layer.effect(
        Clock.Clock,
        Effect.map(Clock.Clock, (machine) => reading(clock, machine))
      )

/** Why a value is not a valid clock; null when it is. */
export const problemOf = (clock: unknown): string | null =>
  (typeof clock === "object" || typeof clock === "function") &&
  clock !== null &&
  ["now", "currentTimeMillisUnsafe"].some((method) => typeof Reflect.get(clock, method) === "function")
    ? null
    : "must be { now() } in milliseconds, or an Effect Clock"
