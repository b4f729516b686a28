/**
 * A point in time: whole milliseconds since 1970 in UTC.
 *
 * Aggregates store times as numbers, which compare fast and pass through JSON, SQL and memory unchanged. The current
 * time always comes from Effect's `Clock`.
 */
export type Instant = number

/** A duration in milliseconds. */
export type Millis = number

export const seconds = (n: number): Millis => n * 1_000
export const minutes = (n: number): Millis => n * 60_000
export const hours = (n: number): Millis => n * 3_600_000
export const days = (n: number): Millis => n * 86_400_000

/** Whether a stored past time is credible. A time more than an hour ahead was written while the clock was wrong. */
export const isBelieved = (at: Instant, now: Instant): boolean => at - now <= hours(1)

/** ISO 8601 in UTC with milliseconds: the format of every timestamp on the wire. */
export const toIso = (instant: Instant): string => new Date(instant).toISOString()

/** Like `toIso`, for a time that may be null. */
export const toIsoOrNull = (instant: Instant | null): string | null => (instant === null ? null : toIso(instant))

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** `Date` reads February 30 as March 2. */
const isDay = (day: string) => new Date(Date.parse(day)).toJSON()?.startsWith(day) === true

/** Parses an ISO 8601 text with a time zone; null for any other text. */
export const fromIso = (text: string): Instant | null => {
  const instant = isoTime.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  return Number.isFinite(instant) ? instant : null
}
