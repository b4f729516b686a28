/**
 * A moment, as whole milliseconds since 1970 in UTC.
 *
 * Aggregates keep moments as numbers: they are compared and stored millions of times, and a number travels through
 * JSON, SQL and memory unchanged. The current one always comes from Effect's `Clock`.
 */
export type Instant = number

/** A span of time in milliseconds. */
export type Millis = number

export const seconds = (n: number): Millis => n * 1_000
export const minutes = (n: number): Millis => n * 60_000
export const hours = (n: number): Millis => n * 3_600_000
export const days = (n: number): Millis => n * 86_400_000

/**
 * Whether a stored moment of the past can be believed. One that is more than an hour ahead was written by a clock that has
 * been set right since.
 */
export const isBelieved = (at: Instant, now: Instant): boolean => at - now <= hours(1)

/** ISO 8601 in UTC with milliseconds, the form of every timestamp on the wire. */
export const toIso = (instant: Instant): string => new Date(instant).toISOString()

/** The same for a moment that need not have come. */
export const toIsoOrNull = (instant: Instant | null): string | null => (instant === null ? null : toIso(instant))

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** `Date` takes the 30th of February for the 2nd of March. */
const isDay = (day: string) => new Date(Date.parse(day)).toJSON()?.startsWith(day) === true

/** The moment that a text of ISO 8601 with a zone names; null for any other text. */
export const fromIso = (text: string): Instant | null => {
  const instant = isoTime.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  return Number.isFinite(instant) ? instant : null
}
