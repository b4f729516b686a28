import { hours, type Instant } from "../../foundation/time/Instant.ts"

const halfLife = hours(24)

/** The outcomes of codes in one scope: a prefix, a range, a country, an address or a device. */
export interface Tally {
  /** The instant to which the counts below are decayed. */
  at: Instant
  /** Codes that were typed. */
  verified: number
  /** Codes that were sent and not typed within the usual time. */
  unverified: number
  /** Codes younger than that. They do not decay. */
  pending: number
  /** The last four digits of the latest numbers without a typed code, for prefixes alone. */
  readonly recent: Array<number>
}

export const emptyTally = (at: Instant): Tally => ({ at, verified: 0, unverified: 0, pending: 0, recent: [] })

/** How much a count of `then` is worth at `now`: half after a day. Never more than one. */
export const weightAt = (then: Instant, now: Instant): number => (now <= then ? 1 : 2 ** ((then - now) / halfLife))

/**
 * Adds to a count at an instant. Counts that arrive late are added at what they are worth, so the order of arrival
 * changes nothing but the last digits.
 */
export const addTo = (tally: Tally, name: "unverified" | "verified", n: number, at: Instant): void => {
  if (at <= tally.at) {
    tally[name] += n * weightAt(at, tally.at)
    return
  }
  const weight = weightAt(tally.at, at)
  tally.verified *= weight
  tally.unverified *= weight
  tally.at = at
  tally[name] += n
}
