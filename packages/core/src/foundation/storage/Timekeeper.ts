import { Clock, Effect } from "effect"
import type { Conflict } from "./Conflict.ts"
import { logStoreError } from "./logStoreError.ts"
import type { StoreError } from "./StoreError.ts"
import {
  agedNow,
  type ClockRecord,
  observed,
  setBackMeanwhile,
  smallestStep,
  steppedBack,
  straysOf
} from "../time/ClockRecord.ts"
import { ClockStore } from "./ClockStore.ts"
import { type Instant, type Millis, seconds } from "../time/Instant.ts"
import { type SteadyInstant, steadyMillis, steadyNow } from "../time/steadyTime.ts"

/** How often a process compares the clock with its steady time. */
const looksEvery: Millis = seconds(1)
/** How often it says that it still runs. */
const saysEvery: Millis = seconds(10)
/** For how long after a step a process may go on with the time from before it. */
const straysFor: Millis = seconds(15)
/**
 * A process that runs has recorded that within this time: whoever starts and hears nothing for so long is alone. Nothing
 * else in a process records the time so early.
 */
const aloneAfter: Millis = saysEvery + seconds(5)
/** Less uptime than this is not worth a write: another process has just added it. */
const worthSaving: Millis = seconds(5)

/** What one process knows of its storage's time. */
export interface Timekeeper {
  /**
   * Records that it is `now`, and answers the time by which something may be deleted for its age: see `agedNow`. Null as
   * long as nothing may be.
   */
  readonly aged: (now: Instant) => Effect.Effect<Instant | null, StoreError>
  /**
   * Compares the clock with steady time, and never ends. When the clock was set back, waiting jobs are moved with it, once
   * however many processes notice, and `onSetBack` runs.
   *
   * Every waiting job is moved, also one that was committed before the clock was ahead: nothing tells them apart. So a job
   * may run early, by the step at most. Retries may; a job that promises a moment has it in its payload or its rows, and
   * waits for it again. `alwaysSoon` names the kinds of `JobPolicy.alwaysSoon`.
   */
  readonly watch: (onSetBack: Effect.Effect<void>, alwaysSoon: () => ReadonlyArray<string>) => Effect.Effect<never>
}

/** See `Timekeeper`. Several of them in one process do no harm. */
export const make: Effect.Effect<Timekeeper, never, ClockStore> = Effect.gen(function* () {
  const store = yield* ClockStore
  let known: { readonly uptime: Millis; readonly at: SteadyInstant } | null = null
  /** The recorded step back that this process noticed last, by its uptime. */
  let noticed: Millis | null = null

  /** The record, and the uptime as this process knows it by now. */
  const load = Effect.gen(function* () {
    const record = yield* store.load
    const at = yield* steadyNow
    const uptime = Math.max(record.uptime, known === null ? 0 : known.uptime + (at - known.at))
    known = { uptime, at }
    return { record, uptime }
  })

  /** Where another process was faster, it has recorded the same. */
  const save = (record: ClockRecord) => Effect.catchTag(store.save(record, null), "Conflict", () => Effect.void)

  const observe = Effect.fnUntraced(function* (now: Instant) {
    const { record, uptime } = yield* load
    const next = observed(record, uptime, now)
    const isNew = record.version === 0 || next.looks.at(-1) !== record.looks.at(-1)
    if (isNew || next.uptime - record.uptime >= worthSaving) yield* save(next)
    return next
  })

  /** Moves waiting jobs by what the clock was set back, unless another process has. */
  const moveJobs = (by: Millis): Effect.Effect<void, StoreError> =>
    Effect.gen(function* () {
      const { record, uptime } = yield* load
      const now = yield* Clock.currentTimeMillis
      const next = steppedBack({ ...record, uptime }, by, now, noticed)
      if (next !== null) yield* store.save(next, { by, now, until: null, kinds: null })
      noticed = (next ?? record).setBack?.uptime ?? null
      if (next === null) return
      yield* Effect.logWarning("The clock was set back: jobs that wait were moved with it", {
        seconds: Math.round(by / seconds(1))
      })
    }).pipe(Effect.catchTag("Conflict", (_: Conflict) => moveJobs(by)))

  /** Moves the jobs that processes wrote which had not noticed the step yet. Whoever is faster moves the same. */
  const moveStrays = (alwaysSoon: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const { record, uptime } = yield* load
      const strays = straysOf({ ...record, uptime }, yield* Clock.currentTimeMillis, alwaysSoon)
      if (strays !== null) yield* store.save({ ...record, uptime }, strays)
    }).pipe(Effect.catchTag("Conflict", () => Effect.void))

  const offset = Effect.clockWith((clock) => Effect.sync(() => clock.currentTimeMillisUnsafe() - steadyMillis(clock)))

  const watch: Timekeeper["watch"] = (onSetBack, alwaysSoon) =>
    Effect.gen(function* () {
      let before = yield* offset
      /** By how much waiting jobs are still to be moved. */
      let owed: Millis = 0
      /** What the clock was set by in this process since that was last looked at. */
      let stepped: Millis = 0
      /** By how much the clock seemed to have been set back at the first look, and which record said so. */
      let doubted: { readonly at: SteadyInstant; readonly by: Millis; readonly version: number } | null = null
      let isDecided = false
      let saidAt: SteadyInstant = Number.NEGATIVE_INFINITY
      /** Until when jobs may stray that were written with the time from before a step back. */
      let straysUntil: SteadyInstant = Number.NEGATIVE_INFINITY

      /**
       * By how much the clock was set back, while no process ran and by steps of this process's own; 0 while that is doubtful.
       * A process that runs elsewhere notices each step of its clock by itself: a clock that is behind its has not been set
       * back.
       */
      const meanwhile = Effect.fnUntraced(function* (own: Millis) {
        const record = yield* store.load
        const at = yield* steadyNow
        if (doubted === null) {
          const by = setBackMeanwhile(record, (yield* Clock.currentTimeMillis) - own)
          doubted = { at, by, version: record.version }
        }
        // A machine that starts with a slow clock is set right soon after.
        doubted = { ...doubted, by: Math.max(0, doubted.by - Math.max(0, own)) }
        const hearsOthers = doubted.version !== record.version
        isDecided = doubted.by === 0 || hearsOthers || own < 0 || at - doubted.at >= aloneAfter
        return isDecided ? (hearsOthers ? 0 : doubted.by) + Math.max(0, -own) : 0
      })

      const look = Effect.gen(function* () {
        const current = yield* offset
        // One that was read over a pause of the process looks like a step, and is not there at a second look.
        const step = Math.abs(current - before) > smallestStep ? (yield* offset) - before : current - before
        before += step
        if (Math.abs(step) > smallestStep) stepped += step
        owed = isDecided ? Math.max(0, owed - stepped) : yield* meanwhile(stepped)
        stepped = 0
        if (owed > 0) {
          yield* moveJobs(owed)
          owed = 0
          yield* onSetBack
          straysUntil = (yield* steadyNow) + straysFor
        } else if (step > smallestStep) straysUntil = Number.NEGATIVE_INFINITY
        const steady = yield* steadyNow
        if (steady < straysUntil) yield* moveStrays(alwaysSoon())
        if (!isDecided || steady - saidAt < saysEvery) return
        saidAt = steady
        yield* observe(yield* Clock.currentTimeMillis)
      })
      return yield* look.pipe(
        Effect.catch((error) => logStoreError("The clock was not compared with storage's", error)),
        Effect.andThen(Effect.sleep(looksEvery)),
        Effect.forever
      )
    })

  return { aged: (now) => Effect.map(observe(now), (record) => agedNow(record, now)), watch }
})
