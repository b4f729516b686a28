import { days, hours, type Instant, type Millis, minutes, seconds } from "./Instant.ts"

/** A smaller difference does not count as a change of the clock. */
export const smallestStep: Millis = seconds(1)
/** How long after a step other processes may still notice the same step. */
const noticedWithin: Millis = minutes(1)
/** How much two processes' measurements of the same step may differ. */
const sameWithin: Millis = seconds(2)
const lookEvery: Millis = hours(1)
/** The uptime over which something must stay overdue before it is deleted by age. */
const betweenLooks: Millis = days(1)

/**
 * The time that the processes of one storage have observed. `uptime` is the real time during which at least one process
 * ran. Each process adds its own steady time since it last read the record, and storage keeps the larger value. So
 * concurrent processes never count a second twice, and downtime adds nothing.
 */
export interface ClockRecord {
  /** The version this state was read at; 0 for a record that is not stored yet. */
  readonly version: number
  /** The latest wall clock time observed since the clock was last set back. */
  readonly latest: Instant
  readonly uptime: Millis
  readonly setBack: { readonly by: Millis; readonly uptime: Millis } | null
  /** Pairs of uptime and wall clock time, oldest first, an hour of uptime apart. */
  readonly looks: ReadonlyArray<{ readonly uptime: Millis; readonly at: Instant }>
}

export const empty: ClockRecord = { version: 0, latest: 0, uptime: 0, setBack: null, looks: [] }

const isRecent = ({ setBack, uptime }: ClockRecord): boolean =>
  setBack !== null && uptime - setBack.uptime < noticedWithin

/** Adds an observation: the wall clock shows `now` at this uptime. */
export const observed = (record: ClockRecord, uptime: Millis, now: Instant): ClockRecord => {
  const next = { ...record, uptime: Math.max(record.uptime, uptime) }
  const last = next.looks.at(-1)
  const looks =
    last === undefined || next.uptime - last.uptime >= lookEvery
      ? [...next.looks, { uptime: next.uptime, at: now }]
      : next.looks
  const first = looks.findLastIndex((look) => next.uptime - look.uptime >= betweenLooks)
  return {
    ...next,
    // A process that has not noticed a step yet still reports the time from before it.
    latest: isRecent(next) ? next.latest : Math.max(next.latest, now),
    looks: looks.slice(Math.max(0, first))
  }
}

/** How far the clock was set back while no process ran; 0 when it was not. */
export const setBackMeanwhile = ({ latest }: ClockRecord, now: Instant): Millis =>
  latest - now > smallestStep ? latest - now : 0

/**
 * The record after the clock was set back; null when another process has recorded this step. `noticed` is the uptime of
 * the step that this process already knows. The same step can happen again, so a known step never counts as already
 * recorded.
 */
export const steppedBack = (
  record: ClockRecord,
  by: Millis,
  now: Instant,
  noticed: Millis | null
): ClockRecord | null =>
  record.setBack !== null &&
  record.setBack.uptime !== noticed &&
  isRecent(record) &&
  Math.abs(record.setBack.by - by) <= sameWithin
    ? null
    : { ...record, latest: now, setBack: { by, uptime: record.uptime } }

/** After a smaller step, only the kind of a job can tell a stray from a job that waits on purpose. */
const smallestForStrays: Millis = minutes(5)
/** Strays were due within this time after they were written. */
const strayed: Millis = minutes(2)
/** A job of a kind that is always due soon is a stray when it is due later than this. */
const soon: Millis = seconds(2)

/**
 * The jobs to move because processes wrote them before they noticed the step: their run time is ahead by the step. Such
 * a process runs on for seconds, and may hold a recurring job. After a small step only jobs of `alwaysSoon` kinds move.
 * A moved job leaves the range, so a repeat moves nothing more.
 */
export const straysOf = ({ latest, setBack, uptime }: ClockRecord, now: Instant, alwaysSoon: ReadonlyArray<string>) => {
  if (setBack === null) return null
  const { by } = setBack
  if (by >= smallestForStrays) {
    return { by, now: latest + by, until: latest + by + strayed + (uptime - setBack.uptime), kinds: null }
  }
  return by < soon ? null : { by, now: now + soon, until: null, kinds: alwaysSoon }
}

/**
 * The time to use for deletions by age: the earliest of now and all observations of the last day of uptime. So a clock
 * that is ahead for less than a day deletes nothing. Null while there is less than a day of observations.
 */
export const agedNow = ({ looks, uptime }: ClockRecord, now: Instant): Instant | null => {
  const first = looks.findLastIndex((look) => uptime - look.uptime >= betweenLooks)
  return first < 0 ? null : Math.min(now, ...looks.slice(first).map(({ at }) => at))
}

/** Serializes the record for stores. */
export const encode = ({ version: _version, ...state }: ClockRecord): string => JSON.stringify(state)

/** Parses a stored record. */
export const decode = (version: number, text: string): ClockRecord => ({
  ...empty,
  ...(JSON.parse(text) as Partial<ClockRecord>),
  version
})
