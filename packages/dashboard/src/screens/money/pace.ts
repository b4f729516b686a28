/** How long a balance lasts. */
export type Pace =
  | { readonly tag: "unknown" }
  | { readonly tag: "idle" }
  /** It lasts longer than a year. */
  | { readonly tag: "long"; readonly perDay: number }
  | { readonly tag: "until"; readonly perDay: number; readonly at: number }

const dayMs = 86_400_000
const mostDays = 365

/**
 * How long the balance lasts when each day costs what the last days did: the average of 7 or of 28 days, whichever is
 * higher, so that a quiet week does not promise too much. Without any cost before the last week, nothing is known.
 */
export const paceOf = (available: number, last7: number, last28: number, now: number): Pace => {
  if (last28 <= 0) return { tag: "idle" }
  if (last28 <= last7) return { tag: "unknown" }
  const perDay = Math.max(last7 / 7, last28 / 28)
  const left = Math.max(0, available) / perDay
  return left > mostDays ? { tag: "long", perDay } : { tag: "until", perDay, at: now + left * dayMs }
}
