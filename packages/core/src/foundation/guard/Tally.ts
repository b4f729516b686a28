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
  /** Codes of the last hour that nobody typed yet, and those that were typed, decayed to an instant. */
  lately: number
  latelyVerified: number
  latelyAt: Instant
  /** The last four digits of the latest numbers without a typed code, for prefixes alone. */
  readonly recent: Array<number>
}

export const emptyTally = (at: Instant): Tally => ({
  at,
  verified: 0,
  unverified: 0,
  pending: 0,
  lately: 0,
  latelyVerified: 0,
  latelyAt: at,
  recent: []
})

/** What a count of one in every hour, for ever, decays to. */
export const ofHourly = halfLife / Math.LN2 / hours(1)

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

const latelyWeight = (then: Instant, now: Instant): number => (now <= then ? 1 : Math.exp((then - now) / hours(1)))

/** The codes of the last hour or so. Older ones count less and less. */
export interface Lately {
  readonly verified: number
  readonly unanswered: number
}

export const latelyAt = ({ lately, latelyVerified, latelyAt: then }: Tally, now: Instant): Lately => {
  const weight = latelyWeight(then, now)
  return { unanswered: lately * weight, verified: latelyVerified * weight }
}

/** Adds to the codes of the last hour, or takes some back. */
export const addLately = (tally: Tally, { unanswered, verified }: Lately, at: Instant): void => {
  const weight = latelyWeight(tally.latelyAt, at)
  const late = latelyWeight(at, tally.latelyAt)
  tally.lately = tally.lately * weight + unanswered * late
  tally.latelyVerified = tally.latelyVerified * weight + verified * late
  tally.latelyAt = Math.max(tally.latelyAt, at)
}
