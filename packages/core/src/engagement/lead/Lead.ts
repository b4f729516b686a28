import type { Referral } from "../../foundation/delivery/Inbound.ts"
import { hours, type Instant } from "../../foundation/time/Instant.ts"

export const LeadStatus = ["OPEN", "CLOSED"] as const
export type LeadStatus = (typeof LeadStatus)[number]

/** How the conversation started: the customer wrote, replied to a campaign, or an agent created the lead. */
export const LeadOrigin = ["INBOUND", "CAMPAIGN", "LEAD"] as const
export type LeadOrigin = (typeof LeadOrigin)[number]

/** A customer of one environment, and the state of their conversation. */
export interface Lead {
  readonly environment: string
  /** Counted from 1 in each environment. Numbers may be skipped but are never reused. */
  readonly id: number
  /** The version this state was read at; 0 for a lead that is not stored yet. */
  readonly version: number
  /**
   * The customer's identifier for display: the digits of the number, or the provider's id when the number is hidden.
   */
  readonly contact: string
  /** E.164 digits without `+`; null while only the provider knows the number. Unique in an environment. */
  readonly phone: string | null
  /** The provider's id of this person. Unique in an environment. */
  readonly userId: string | null
  /** The customer's profile name, and when they last sent it. */
  readonly name: string | null
  readonly namedAt: Instant | null
  readonly status: LeadStatus
  /** The id of the owning agent. */
  readonly assignedTo: number | null
  /** The id of a team. The id of a removed team counts as no team. */
  readonly teamId: number | null
  /** The ids of labels, in the order in which they were put on. The id of a removed label counts as none. */
  readonly labels: ReadonlyArray<string>
  readonly origin: LeadOrigin
  readonly campaignId: string | null
  /** The first advertisement or post that brought the customer. */
  readonly referral: Referral | null
  /** The latest message in either direction, by the customer's timestamps. Never decreases. */
  readonly lastMessageAt: Instant | null
  /** The customer's latest message, and the merchant's number that received it. Replies are sent from that number. */
  readonly lastInboundAt: Instant | null
  readonly receiver: string | null
  /**
   * The customer's first message that got no answer. Null when each one was answered, or an agent decided that none is
   * needed. A message that arrives late starts the wait, even if a reply was written in between: nobody had seen it.
   */
  readonly unansweredSince: Instant | null
  /**
   * An agent snoozed the lead until this moment. Then it waits for the team, even if no message is unanswered. Null when
   * it is not snoozed, and as soon as the customer writes.
   */
  readonly snoozedUntil: Instant | null
  /** Messages since the latest answer, or since a key marked the lead as read. Agents count their own: see `unreadOf`. */
  readonly unreadCount: number
  /** All messages that ever counted as unread. Never decreases. */
  readonly received: number
  /** The number of history entries. */
  readonly entries: number
  readonly createdAt: Instant
}

/** How long after a customer's message plain text may be sent to them. */
export const replyWindow = hours(24)

type Waits = Pick<Lead, "snoozedUntil" | "status" | "unansweredSince">

/**
 * From when on a lead waits for the team; null when it never does. In the future for a snoozed lead. An answer, the
 * decision that none is needed, and closing end the wait. Reading, assigning and notes do not. A lead that is opened
 * again continues to wait. Storage keeps this value in an index, which needs no job: a snoozed lead waits when its
 * moment has passed.
 */
export const waitsFrom = ({ snoozedUntil, status, unansweredSince }: Waits): Instant | null =>
  status === "OPEN" ? (snoozedUntil ?? unansweredSince) : null

/** Since when a lead waits for the team now. Null when it does not wait, or is snoozed. */
export const waitingSince = (lead: Waits, now: Instant): Instant | null => {
  const from = waitsFrom(lead)
  return from !== null && from <= now ? from : null
}

/** Until when an open lead is snoozed. Null when it is not, or its moment has passed. */
export const snoozedUntil = (lead: Waits, now: Instant): Instant | null => {
  const from = waitsFrom(lead)
  return from !== null && from > now ? from : null
}

export const EntryKind = [
  "CREATED",
  "ASSIGNED",
  "TEAM",
  "CLOSED",
  "REOPENED",
  "ANSWERED",
  "UNANSWERED",
  "SNOOZED",
  "UNSNOOZED",
  "LABELLED",
  "UNLABELLED"
] as const
export type EntryKind = (typeof EntryKind)[number]

/** One entry in a lead's history. Never altered. */
export interface LeadEntry {
  readonly environment: string
  readonly leadId: number
  /** From 1, without gaps: the lead's version guards it. */
  readonly number: number
  readonly at: Instant
  /** The actor's display name: an e-mail address or a key's name. Null for actions of the server. */
  readonly by: string | null
  readonly kind: EntryKind
  /** Agent e-mails, names of teams or of labels at that time; null for none. A SNOOZED entry has the moment in ISO 8601 in `to`. */
  readonly from: string | null
  readonly to: string | null
}
