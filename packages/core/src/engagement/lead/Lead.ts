import type { Referral } from "../../foundation/delivery/Inbound.ts"
import { hours, type Instant } from "../../foundation/time/Instant.ts"

export const LeadStatus = ["OPEN", "CLOSED"] as const
export type LeadStatus = (typeof LeadStatus)[number]

/** How the conversation began: the customer wrote, answered a campaign, or an agent entered them. */
export const LeadOrigin = ["INBOUND", "CAMPAIGN", "LEAD"] as const
export type LeadOrigin = (typeof LeadOrigin)[number]

/** A customer of one environment, and where the conversation with them stands. */
export interface Lead {
  readonly environment: string
  /** Counted from 1 in each environment. A number may be left out; none is given twice. */
  readonly id: number
  /** The version this state was read at; 0 for one that nobody saved yet. */
  readonly version: number
  /** How the customer is called everywhere: the digits of the number, or the provider's id of one who hides it. */
  readonly contact: string
  /** E.164 digits without `+`; null as long as only the provider knows it. No two leads of an environment share it. */
  readonly phone: string | null
  /** The provider's id of this person. No two leads of an environment share it. */
  readonly userId: string | null
  /** What they call themselves, and when they last said so. */
  readonly name: string | null
  readonly namedAt: Instant | null
  readonly status: LeadStatus
  /** The owning agent, by id. */
  readonly assignedTo: number | null
  /** A team, by id; one that was removed since is none. */
  readonly teamId: number | null
  readonly origin: LeadOrigin
  readonly campaignId: string | null
  /** The advertisement that brought them, when they first came by one. */
  readonly referral: Referral | null
  /** The latest message in either direction, by the time that the customer's message carries. It never goes back. */
  readonly lastMessageAt: Instant | null
  /** The customer's latest own message, and which of our numbers it was written to: replies go out from there. */
  readonly lastInboundAt: Instant | null
  readonly receiver: string | null
  /** The first of the customer's messages since the latest reply. Absent until they write. */
  readonly unansweredSince?: Instant
  readonly unreadCount: number
  /** How many entries its history has. */
  readonly entries: number
  readonly createdAt: Instant
}

/** How long after a customer's own message plain words may be sent to them. */
export const replyWindow = hours(24)

/** Since when an open lead waits for a reply: its customer wrote last. Null when the latest message is a reply. */
export const waitingSince = ({
  lastInboundAt,
  lastMessageAt,
  status,
  unansweredSince
}: Pick<Lead, "lastInboundAt" | "lastMessageAt" | "status" | "unansweredSince">): Instant | null =>
  status === "OPEN" && lastInboundAt !== null && lastInboundAt === lastMessageAt ? (unansweredSince ?? null) : null

export const EntryKind = ["CREATED", "ASSIGNED", "TEAM", "CLOSED", "REOPENED"] as const
export type EntryKind = (typeof EntryKind)[number]

/** One change of a lead, for its history. It is never altered. */
export interface LeadEntry {
  readonly environment: string
  readonly leadId: number
  /** From 1, without a gap: the lead's version guards it. */
  readonly number: number
  readonly at: Instant
  /** Who did it, by the name of their credential or address; null for what the service does by itself. */
  readonly by: string | null
  readonly kind: EntryKind
  /** E-mail addresses of agents, names of teams, as they were then; null for none. */
  readonly from: string | null
  readonly to: string | null
}
