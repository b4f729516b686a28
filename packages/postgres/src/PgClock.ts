import { Clock, Effect, Layer } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { StorageStartError, Unreachable } from "./StorageStartError.ts"

/** A comparison with the database's clock, in milliseconds. */
interface Sample {
  /** Database time minus the process's steady time. */
  readonly offset: number
  /** Its maximum error. */
  readonly error: number
}

const measureEvery = "5 seconds"
const samplesAtStart = 5
/** Smaller corrections backwards are absorbed: time stands still for a moment instead of running back. */
const mostWaitedOut = 1_000

const sample = Effect.fnUntraced(function* (database: PgDatabase["Service"]) {
  const before = performance.now()
  const rows = yield* database.query("select (extract(epoch from clock_timestamp()) * 1000)::float8", [])
  const after = performance.now()
  return { offset: Number(rows[0]?.[0]) - (before + after) / 2, error: (after - before) / 2 } satisfies Sample
})

/** The database's time, extrapolated between measurements by the process's steady clock. */
export class DatabaseTime {
  readonly #steady: () => number
  #offset: number
  #last = 0

  constructor(first: Sample, steady: () => number = () => performance.now()) {
    this.#steady = steady
    this.#offset = first.offset
  }

  /** Applies a measurement, unless its difference is within its own error. */
  correct({ error, offset }: Sample): void {
    if (Number.isFinite(offset) && Math.abs(offset - this.#offset) > error) this.#offset = offset
  }

  now(): number {
    const now = this.#offset + this.#steady()
    if (now >= this.#last || this.#last - now > mostWaitedOut) this.#last = now
    return this.#last
  }
}

const clockOf = (time: DatabaseTime, machine: Clock.Clock): Clock.Clock => {
  const millis = () => Math.floor(time.now())
  const nanos = () => BigInt(Math.floor(time.now() * 1_000)) * 1_000n
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

const make = Effect.gen(function* () {
  const database = yield* PgDatabase
  const machine = yield* Clock.Clock
  let best = yield* sample(database)
  for (let i = 1; i < samplesAtStart; i++) {
    const next = yield* sample(database)
    if (next.error < best.error) best = next
  }
  const time = new DatabaseTime(best)
  yield* sample(database).pipe(
    Effect.tap((next) => Effect.sync(() => time.correct(next))),
    Effect.ignore, // Without a response, the last offset stays valid.
    Effect.delay(measureEvery),
    Effect.forever,
    Effect.forkScoped
  )
  return clockOf(time, machine)
}).pipe(Effect.mapError((cause: PgFailure) => new StorageStartError({ reason: new Unreachable({ cause }) })))

/**
 * Makes the database's clock the clock of every process. So expiry, windows and leases mean the same everywhere,
 * however wrong a machine's clock is. Sleeping is unchanged. While the database is unreachable, time continues from the
 * last comparison.
 *
 * @example
 * ```ts
 * import { PgClock, PgStorage } from "@countersign/postgres"
 * import { Layer, Redacted } from "effect"
 *
 * const storage = PgStorage.layer({ url: Redacted.make("postgres://localhost/countersign") })
 * const withItsClock = PgClock.layer.pipe(Layer.provideMerge(storage))
 * ```
 */
export const layer: Layer.Layer<never, StorageStartError, PgDatabase> = Layer.effect(Clock.Clock, make)
