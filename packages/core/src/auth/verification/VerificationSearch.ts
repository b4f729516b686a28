import type { GuardReason } from "../../foundation/guard/GuardReason.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { type KeptOutcome, keptOutcome } from "./keptOutcome.ts"
import { type AuthStatus, countryOf, type Verification } from "./Verification.ts"

/** Filters for verifications. All given fields must match. */
export interface SearchFilter {
  /** A person, in every spelling. */
  readonly canonical?: string
  /** The latest reference of the verification, on either path. */
  readonly orderId?: string
  /** The status at the time of the search: an expired verification is EXPIRED, even if no person has tried its code. */
  readonly status?: AuthStatus
  /** The channel of the latest request. */
  readonly channel?: ChannelName
  /** Two letters. */
  readonly country?: string
  readonly tag?: Tag
  /** A reason that the guard had. */
  readonly guard?: GuardReason
  /** Whether another system made its code. */
  readonly relayed?: boolean
  /** The kept outcomes, one of which it must have. An expired verification has one as soon as its expiry is announced. */
  readonly outcomes?: ReadonlyArray<KeptOutcome>
}

/** A tag that a verification must have. */
export interface Tag {
  readonly name: string
  readonly value: string
}

export interface SearchPage {
  readonly environment: string
  readonly filter: SearchFilter
  /** Exclusive upper bound of the ids: from a time, or from the end of the previous page. */
  readonly before: string
  /** Inclusive lower bound of the ids. */
  readonly since: string
  readonly now: Instant
  readonly limit: number
  /** How many verifications a search reads at most. */
  readonly most: number
}

export interface Searched {
  /** Newest first. May hold fewer than `limit` although more exist: see `after`. */
  readonly found: ReadonlyArray<Verification>
  /** Where the next page continues; null when the search is complete. */
  readonly after: string | null
}

/**
 * Derives the status from the expiry alone, because storage has an index on it. `shownAt` differs if the clock was set
 * back.
 */
const statusBy = ({ expiresAt, status }: Verification, now: Instant): AuthStatus =>
  status === "PENDING" && now >= expiresAt ? "EXPIRED" : status

const hasOutcome = (verification: Verification, outcomes: ReadonlyArray<KeptOutcome>): boolean => {
  const kept = keptOutcome(verification)
  return kept !== null && outcomes.includes(kept)
}

const hasTag = ({ context }: Verification, { name, value }: Tag): boolean =>
  context?.tags !== undefined && Object.hasOwn(context.tags, name) && context.tags[name] === value

/** Returns whether a verification matches the filter. Search results show the same values. */
export const matches = (
  { canonical, channel, country, guard, orderId, outcomes, relayed, status, tag }: SearchFilter,
  verification: Verification,
  now: Instant
): boolean =>
  (canonical === undefined || verification.identity.canonical === canonical) &&
  (orderId === undefined || verification.orderId === orderId) &&
  (status === undefined || statusBy(verification, now) === status) &&
  (channel === undefined || verification.channel === channel) &&
  (country === undefined || countryOf(verification) === country) &&
  (tag === undefined || hasTag(verification, tag)) &&
  (guard === undefined || verification.guard?.reasons.some(({ reason }) => reason === guard) === true) &&
  (relayed === undefined || (verification.kind === "Relayed") === relayed) &&
  (outcomes === undefined || hasOutcome(verification, outcomes))
