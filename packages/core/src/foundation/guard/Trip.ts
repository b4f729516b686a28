import { hours, type Instant } from "../time/Instant.ts"
import type { GuardReason } from "./GuardReason.ts"

/** The reasons that stop a place: a block of numbers, a range or a country. */
export const tripReasons = ["PREFIX_UNVERIFIED", "RANGE_UNVERIFIED", "COUNTRY_UNVERIFIED"] as const
export type TripReason = (typeof tripReasons)[number]

export const isTripReason = (reason: GuardReason): reason is TripReason =>
  tripReasons.some((candidate) => candidate === reason)

/** A place that the guard stopped, because the evidence against it reached a `block` verdict. */
export interface Trip {
  readonly environment: string
  readonly reason: TripReason
  /** The digits that the numbers share, or an ISO 3166 country. Countries that share a calling code: its digits. */
  readonly place: string
  /** The version this state was read at; 0 for a trip that is not stored yet. */
  readonly version: number
  readonly since: Instant
  /** When the guard judges the place by its evidence alone again. */
  readonly until: Instant
  /** Codes that nobody had entered when it tripped, and codes that were entered. */
  readonly codes: number
  readonly typed: number
  /** The cost of one of those codes, in the smallest unit of money. Null when it had no price. */
  readonly price: number | null
  /** Whether the merchant enforced the reason when it tripped. */
  readonly enforced: boolean
  /** Requests since then that the trip refused, or would have refused. */
  readonly met: number
  /** When an ADMIN let the place through. The guard forgets what it counted before. Null otherwise. */
  readonly endedAt: Instant | null
  /** When the mails about it were sent. Null before that. */
  readonly mailedAt: Instant | null
}

/** What one process saw of a trip since it stored it last. */
export interface TripReport extends Omit<Trip, "environment" | "version" | "endedAt" | "mailedAt"> {}

/** For so long a place stays stopped after the last request that looked like the attack. */
export const tripLength = hours(12)
/** A trip is renewed when less than this is left, so that it is stored and announced at most twice a day. */
const renewedBelow = hours(6)
/** No instant is believed that is further ahead: it was written while a clock was wrong. */
const believed = tripLength + hours(1)

/** For so long, an ended trip makes a process forget older evidence. Processes read a day of it. */
export const tripKept = hours(48)

/** The most places that an environment's guard stops at a time. */
export const mostTrips = 500

type Life = Pick<Trip, "until"> & { readonly endedAt?: Instant | null }

/** Whether the place is stopped. */
export const isStopped = ({ endedAt = null, until }: Life, now: Instant): boolean =>
  endedAt === null && now < until && until - now <= believed

export const isDueForRenewal = ({ until }: Life, now: Instant): boolean => until - now < renewedBelow

/** What a stored trip becomes by a process's report. */
export interface Reported {
  readonly trip: Trip
  /** What is new: the place was stopped, or it stays stopped for longer. */
  readonly news: "tripped" | "renewed" | null
}

/**
 * Adds what a process saw to the stored trip. Null when the report says nothing any more, because an ADMIN ended the
 * trip after it began.
 */
export const report = (environment: string, stored: Trip | null, seen: TripReport, now: Instant): Reported | null => {
  if (stored?.endedAt != null && stored.endedAt >= seen.since) return null
  if (stored !== null && isStopped(stored, now)) {
    const isRenewed = seen.until - stored.until >= hours(1)
    const until = isRenewed ? seen.until : stored.until
    return {
      trip: { ...stored, until, met: stored.met + seen.met, enforced: seen.enforced },
      news: isRenewed ? "renewed" : null
    }
  }
  // It is over. Later counts belong to no trip.
  if (!isStopped(seen, now)) return null
  const version = stored?.version ?? 0
  return { trip: { environment, version, ...seen, endedAt: null, mailedAt: null }, news: "tripped" }
}

/** The trip after an ADMIN let the place through. Null when it is not stopped. */
export const letThrough = (trip: Trip, now: Instant): Trip | null =>
  isStopped(trip, now) ? { ...trip, endedAt: now } : null
