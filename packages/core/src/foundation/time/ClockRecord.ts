import { days, hours, type Instant, type Millis, minutes, seconds } from "./Instant.ts"

/** A clock that differs by less is not taken to have been set. */
export const smallestStep: Millis = seconds(1)
/** For how long after a step another process may still notice the same one. */
const noticedWithin: Millis = minutes(1)
/** By how much the same step may differ as seen by two processes. */
const sameWithin: Millis = seconds(2)
const lookEvery: Millis = hours(1)
/** How much uptime lies between the two looks that find something overdue. */
const betweenLooks: Millis = days(1)

/**
 * What the processes of one storage have seen of time. `uptime` is the real time during which at least one of them ran:
 * a process adds what passed in its own steady time since it last read the record, and the larger value is kept. So
 * several processes never count a second twice, and a stop adds nothing.
 */
export interface ClockRecord {
  /** The version this state was read at; 0 when nothing was saved yet. */
  readonly version: number
  /** The latest time of day that was seen since the clock was last set back. */
  readonly latest: Instant
  readonly uptime: Millis
  readonly setBack: { readonly by: Millis; readonly uptime: Millis } | null
  /** What time it was at which uptime, the oldest first, an hour of uptime apart. */
  readonly looks: ReadonlyArray<{ readonly uptime: Millis; readonly at: Instant }>
}

export const empty: ClockRecord = { version: 0, latest: 0, uptime: 0, setBack: null, looks: [] }

const isRecent = ({ setBack, uptime }: ClockRecord): boolean =>
  setBack !== null && uptime - setBack.uptime < noticedWithin

/** Adds what a process sees: that it is `now`, after so much uptime. */
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
    // A process that has not noticed a step yet still shows the time from before it.
    latest: isRecent(next) ? next.latest : Math.max(next.latest, now),
    looks: looks.slice(Math.max(0, first))
  }
}

/** By how much the clock was set back while no process ran; 0 when it was not. */
export const setBackMeanwhile = ({ latest }: ClockRecord, now: Instant): Millis =>
  latest - now > smallestStep ? latest - now : 0

/**
 * The state after the clock was set back; null when another process has recorded that step. What a process has noticed
 * before, at which uptime, is none of these: a clock may be set ahead and back by the same again.
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

/** After a smaller step the jobs that stray cannot be told from those that wait on purpose, except by their kind. */
const smallestForStrays: Millis = minutes(5)
/** What strays was to run within so long after it was written. */
const strayed: Millis = minutes(2)
/** A job of a kind that is always due soon strays if it is due later than this. */
const soon: Millis = seconds(2)

/**
 * What was written after the jobs were moved by processes that had not noticed the step yet: it lies ahead by as much. Such
 * a process runs on for seconds, and may have the very job that repeats itself. After a small step only jobs of the kinds
 * that are `alwaysSoon` are moved. What is moved leaves this range, so doing it again changes nothing more.
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
 * The time of day by which something may be deleted for its age: it was overdue a day of uptime ago, at every look since,
 * and is now. So a clock that is ahead for less than a day deletes nothing. Null while no look is a day of uptime old.
 */
export const agedNow = ({ looks, uptime }: ClockRecord, now: Instant): Instant | null => {
  const first = looks.findLastIndex((look) => uptime - look.uptime >= betweenLooks)
  return first < 0 ? null : Math.min(now, ...looks.slice(first).map(({ at }) => at))
}

/** The state as text, for stores. */
export const encode = ({ version: _version, ...state }: ClockRecord): string => JSON.stringify(state)

/** The record that a store kept as text. */
export const decode = (version: number, text: string): ClockRecord => ({
  ...empty,
  ...(JSON.parse(text) as Partial<ClockRecord>),
  version
})
