import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { type AuthStatus, countryOf, type Verification } from "./Verification.ts"

/** Which verifications are looked for. All that is given must hold. */
export interface SearchFilter {
  /** A person, in every spelling. */
  readonly canonical?: string
  /** The latest reference that it was given, on either path. */
  readonly orderId?: string
  /** As somebody who looks would say: one whose time is over is EXPIRED, whether or not anybody has tried its code. */
  readonly status?: AuthStatus
  /** The channel that was asked for last. */
  readonly channel?: ChannelName
  /** Two letters. */
  readonly country?: string
}

export interface SearchPage {
  readonly environment: string
  readonly filter: SearchFilter
  /** Identifiers below this one: of a moment, or of the one where the page before stopped. */
  readonly before: string
  /** And not below this one. */
  readonly since: string
  readonly now: Instant
  readonly limit: number
  /** How many verifications are looked at, at most. */
  readonly most: number
}

export interface Searched {
  /** The newest first. They may be fewer than `limit` though there are more: see `after`. */
  readonly found: ReadonlyArray<Verification>
  /** Where the next page goes on; null when everything was looked at. */
  readonly after: string | null
}

/** By the end of its time alone, which storage has an index of: see `shownAt`, which differs where a clock was set back. */
const statusBy = ({ expiresAt, status }: Verification, now: Instant): AuthStatus =>
  status === "PENDING" && now >= expiresAt ? "EXPIRED" : status

/** Whether it is one of those that are looked for. What is shown of a verification says the same. */
export const matches = (
  { canonical, channel, country, orderId, status }: SearchFilter,
  verification: Verification,
  now: Instant
): boolean =>
  (canonical === undefined || verification.identity.canonical === canonical) &&
  (orderId === undefined || verification.orderId === orderId) &&
  (status === undefined || statusBy(verification, now) === status) &&
  (channel === undefined || verification.channel === channel) &&
  (country === undefined || countryOf(verification) === country)
