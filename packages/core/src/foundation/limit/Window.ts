import { type Instant, minutes } from "../time/Instant.ts"

/** How many were counted in one minute. */
export type Bucket = readonly [minute: number, count: number]

/**
 * What was counted of one key in the last hour. Minutes are counted instead of moments, so that a window stays small
 * however much it allows: an hour has at most 61 of them.
 */
export interface Window {
  readonly environment: string
  readonly key: string
  /** The version this state was read at; 0 when nobody saved it yet. */
  readonly version: number
  /** Oldest first. */
  readonly buckets: ReadonlyArray<Bucket>
}

/** A place was taken, or there is none until `retryAt`, unless one is given back. */
export type TakeOutcome =
  | { readonly _tag: "Taken"; readonly next: Window; readonly takenAt: Instant }
  | { readonly _tag: "Full"; readonly retryAt: Instant }

const minute = minutes(1)
const hour = 60

export const empty = (environment: string, key: string): Window => ({ environment, key, version: 0, buckets: [] })

const minuteOf = (instant: Instant) => Math.floor(instant / minute)

/**
 * A bucket counts until the whole of its minute is an hour ago. One from further ahead than an hour was written by a
 * clock that has been set right since.
 */
const counts = ([of]: Bucket, now: number) => Math.abs(now - of) <= hour

/** When the oldest buckets have left so far that fewer than `limit` are counted. */
const freeAgain = (buckets: ReadonlyArray<Bucket>, total: number, limit: number, now: number): number => {
  let left = total
  for (const [of, count] of buckets) {
    left -= count
    if (left < limit) return of + hour + 1
  }
  return now + hour
}

/** Takes one of `limit` places. Within any 60 minutes there are never more than `limit` taken. */
export const take = (window: Window, limit: number, now: Instant): TakeOutcome => {
  const current = minuteOf(now)
  const counted = window.buckets.filter((bucket) => counts(bucket, current))
  const total = counted.reduce((sum, [, count]) => sum + count, 0)
  if (total >= limit) {
    return { _tag: "Full", retryAt: Math.max(now + 1, freeAgain(counted, total, limit, current) * minute) }
  }
  const newest = counted.at(-1)
  // Behind a clock that was ahead of ours, what we count goes with what it counted.
  const buckets: ReadonlyArray<Bucket> =
    newest === undefined || newest[0] < current
      ? [...counted, [current, 1]]
      : [...counted.slice(0, -1), [newest[0], newest[1] + 1]]
  return {
    _tag: "Taken",
    next: { ...window, buckets },
    takenAt: newest === undefined || newest[0] < current ? now : newest[0] * minute
  }
}

/** Lets a place go that was taken at `takenAt`. The same window when that place is older than the hour. */
export const giveBack = (window: Window, takenAt: Instant): Window => {
  const at = minuteOf(takenAt)
  if (!window.buckets.some(([of]) => of === at)) return window
  const buckets = window.buckets
    .map(([of, count]): Bucket => (of === at ? [of, count - 1] : [of, count]))
    .filter(([, count]) => count > 0)
  return { ...window, buckets }
}

/** When the newest place was taken, to the minute; 0 where there is none. */
export const newestOf = ({ buckets }: Window): Instant => (buckets.at(-1)?.[0] ?? 0) * minute

/** The state as text, for stores. */
export const encode = ({ buckets }: Window): string => JSON.stringify(buckets)

/** The window that a store kept as text. */
export const decode = (environment: string, key: string, version: number, state: string): Window => ({
  environment,
  key,
  version,
  buckets: JSON.parse(state) as ReadonlyArray<Bucket>
})
