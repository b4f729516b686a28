import { type Instant, minutes } from "../time/Instant.ts"

/** The count of one minute. */
export type Bucket = readonly [minute: number, count: number]

/**
 * The counts of one key in the last hour. Counts per minute keep a window small whatever its limit: an hour has at most
 * 61 buckets.
 */
export interface Window {
  readonly environment: string
  readonly key: string
  /** The version this state was read at; 0 for a window that is not stored yet. */
  readonly version: number
  /** Oldest first. */
  readonly buckets: ReadonlyArray<Bucket>
}

/** The taken place, or the instant at which one becomes free. A place that is given back is free earlier. */
export type TakeOutcome =
  | { readonly _tag: "Taken"; readonly next: Window; readonly takenAt: Instant }
  | { readonly _tag: "Full"; readonly retryAt: Instant }

const minute = minutes(1)
const hour = 60

export const empty = (environment: string, key: string): Window => ({ environment, key, version: 0, buckets: [] })

const minuteOf = (instant: Instant) => Math.floor(instant / minute)

/**
 * A bucket counts until its whole minute is an hour old. A bucket more than an hour ahead was written while the clock
 * was wrong, and does not count.
 */
const counts = ([of]: Bucket, now: number) => Math.abs(now - of) <= hour

/** When enough of the oldest buckets have expired that fewer than `limit` are counted. */
const freeAgain = (buckets: ReadonlyArray<Bucket>, total: number, limit: number, now: number): number => {
  let left = total
  for (const [of, count] of buckets) {
    left -= count
    if (left < limit) return of + hour + 1
  }
  return now + hour
}

/** Takes one of `limit` places. At most `limit` places are taken within any 60 minutes. */
export const take = (window: Window, limit: number, now: Instant): TakeOutcome => {
  const current = minuteOf(now)
  const counted = window.buckets.filter((bucket) => counts(bucket, current))
  const total = counted.reduce((sum, [, count]) => sum + count, 0)
  if (total >= limit) {
    return { _tag: "Full", retryAt: Math.max(now + 1, freeAgain(counted, total, limit, current) * minute) }
  }
  const newest = counted.at(-1)
  // When another process's clock is ahead, its newest bucket also takes the counts of this process.
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

/** Adds a place that another process took at `at`. */
export const addTaken = (window: Window, at: Instant): Window => {
  const of = minuteOf(at)
  const later = window.buckets.filter(([minute]) => minute > of)
  const earlier = window.buckets.filter(([minute]) => minute < of && counts([minute, 0], of))
  const count = window.buckets.find(([minute]) => minute === of)?.[1] ?? 0
  return { ...window, buckets: [...earlier, [of, count + 1], ...later] }
}

/** Returns the place taken at `takenAt`. The window is unchanged when that place is older than an hour. */
export const giveBack = (window: Window, takenAt: Instant): Window => {
  const at = minuteOf(takenAt)
  if (!window.buckets.some(([of]) => of === at)) return window
  const buckets = window.buckets
    .map(([of, count]): Bucket => (of === at ? [of, count - 1] : [of, count]))
    .filter(([, count]) => count > 0)
  return { ...window, buckets }
}

/** When the newest place was taken, to the minute; 0 for an empty window. */
export const newestOf = ({ buckets }: Window): Instant => (buckets.at(-1)?.[0] ?? 0) * minute

/** Serializes the state for stores. */
export const encode = ({ buckets }: Window): string => JSON.stringify(buckets)

/** Parses a stored window. */
export const decode = (environment: string, key: string, version: number, state: string): Window => ({
  environment,
  key,
  version,
  buckets: JSON.parse(state) as ReadonlyArray<Bucket>
})
