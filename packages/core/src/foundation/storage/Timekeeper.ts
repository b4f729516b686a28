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

/** How often a process compares the clock with steady time. */
const looksEvery: Millis = seconds(1)
/** How often a process records that it is running. */
const saysEvery: Millis = seconds(10)
/** How long after a step another process may still write times from before the step. */
const straysFor: Millis = seconds(15)
/**
 * A running process records its uptime within this time. So a new process that sees no change for this long is alone.
 * Nothing else in a process writes the record this early.
 */
const aloneAfter: Millis = saysEvery + seconds(5)
/** A smaller increase of the uptime is not written, because another process has just written one. */
const worthSaving: Millis = seconds(5)

/** The time of a storage as one process observes it. */
export interface Timekeeper {
  /**
   * Records that the wall clock shows `now`. Returns the time to use for deletions by age, see `agedNow`; null while
   * nothing may be deleted.
   */
  readonly aged: (now: Instant) => Effect.Effect<Instant | null, StoreError>
  /**
   * Compares the wall clock with steady time, forever. When the clock was set back, moves the waiting jobs by the same
   * amount and runs `onSetBack`. The jobs move once, however many processes notice the step.
   *
   * All waiting jobs move, even those committed before the clock was ahead, because nothing distinguishes them. So a
   * job may run early, by at most the step. That is harmless for retries; a job that must not run early keeps its time
   * in its payload or its rows and waits again. `alwaysSoon` returns the kinds with `JobPolicy.alwaysSoon`.
   */
  readonly watch: (onSetBack: Effect.Effect<void>, alwaysSoon: () => ReadonlyArray<string>) => Effect.Effect<never>
}

/** See `Timekeeper`. A process may have several of them. */
export const make: Effect.Effect<Timekeeper, never, ClockStore> = Effect.gen(function* () {
  const store = yield* ClockStore
  let known: { readonly uptime: Millis; readonly at: SteadyInstant } | null = null
  /** The last recorded step back that this process knows, by its uptime. */
  let noticed: Millis | null = null

  /** Loads the record and computes the current uptime. */
  const load = Effect.gen(function* () {
    const record = yield* store.load
    const at = yield* steadyNow
    const uptime = Math.max(record.uptime, known === null ? 0 : known.uptime + (at - known.at))
    known = { uptime, at }
    return { record, uptime }
  })

  /** On a conflict, another process has already recorded the same. */
  const save = (record: ClockRecord) => Effect.catchTag(store.save(record, null), "Conflict", () => Effect.void)

  const observe = Effect.fnUntraced(function* (now: Instant) {
    const { record, uptime } = yield* load
    const next = observed(record, uptime, now)
    const isNew = record.version === 0 || next.looks.at(-1) !== record.looks.at(-1)
    if (isNew || next.uptime - record.uptime >= worthSaving) yield* save(next)
    return next
  })

  /** Moves waiting jobs by the step, unless another process has moved them. */
  const moveJobs = (by: Millis): Effect.Effect<void, StoreError> =>
    Effect.gen(function* () {
      const { record, uptime } = yield* load
      const now = yield* Clock.currentTimeMillis
      const next = steppedBack({ ...record, uptime }, by, now, noticed)
      if (next !== null) yield* store.save(next, { by, now, until: null, kinds: null })
      noticed = (next ?? record).setBack?.uptime ?? null
      if (next === null) return
      yield* Effect.logWarning("The clock was set back: waiting jobs were moved with it", {
        seconds: Math.round(by / seconds(1))
      })
    }).pipe(Effect.catchTag("Conflict", (_: Conflict) => moveJobs(by)))

  /**
   * Moves jobs written by processes that had not noticed the step yet. On a conflict, another process has moved the
   * same jobs.
   */
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
      /** By how much waiting jobs must still move. */
      let owed: Millis = 0
      /** The steps of this process's clock since they were last handled. */
      let stepped: Millis = 0
      /** The apparent step back at the first look, and the record's version at that time. */
      let doubted: { readonly at: SteadyInstant; readonly by: Millis; readonly version: number } | null = null
      let isDecided = false
      let saidAt: SteadyInstant = Number.NEGATIVE_INFINITY
      /** Until when other processes may write jobs with times from before the step. */
      let straysUntil: SteadyInstant = Number.NEGATIVE_INFINITY

      /**
       * The step back that happened while no process ran, plus this process's own steps; 0 while undecided. A running
       * process notices the steps of its own clock. So when another process runs, a clock behind the record is slow and
       * was not set back.
       */
      const checkAgainstRecord = Effect.fnUntraced(function* (ownShift: Millis) {
        const record = yield* store.load
        const at = yield* steadyNow
        if (doubted === null) {
          const by = setBackMeanwhile(record, (yield* Clock.currentTimeMillis) - ownShift)
          doubted = { at, by, version: record.version }
        }
        // A machine that boots with a slow clock corrects it soon afterwards.
        doubted = { ...doubted, by: Math.max(0, doubted.by - Math.max(0, ownShift)) }
        const hearsOthers = doubted.version !== record.version
        isDecided = doubted.by === 0 || hearsOthers || ownShift < 0 || at - doubted.at >= aloneAfter
        return isDecided ? (hearsOthers ? 0 : doubted.by) + Math.max(0, -ownShift) : 0
      })

      const look = Effect.gen(function* () {
        const current = yield* offset
        // A pause of the process between the two reads looks like a step. A second read reveals it.
        const step = Math.abs(current - before) > smallestStep ? (yield* offset) - before : current - before
        before += step
        if (Math.abs(step) > smallestStep) stepped += step
        owed = isDecided ? Math.max(0, owed - stepped) : yield* checkAgainstRecord(stepped)
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
        Effect.catch((error) => logStoreError("The clock was not compared with the database's clock", error)),
        Effect.andThen(Effect.sleep(looksEvery)),
        Effect.forever
      )
    })

  return { aged: (now) => Effect.map(observe(now), (record) => agedNow(record, now)), watch }
})
