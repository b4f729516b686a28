import type { DeliveryStatus } from "../../foundation/delivery/Delivery.ts"
import type { TextReference } from "../../message/template/StoredTemplate.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** The channels that carry campaigns. */
export const CampaignChannel = ["WHATSAPP", "SMS"] as const
export type CampaignChannel = (typeof CampaignChannel)[number]

/**
 * `SCHEDULED` before its start time. `RUNNING` while recipients are pending. `PAUSED` by a team member, or because a
 * message cannot be paid or sent. `DONE` when every message was sent or has failed for good. `CANCELLED` by a team
 * member.
 */
export const CampaignStatus = ["SCHEDULED", "RUNNING", "PAUSED", "DONE", "CANCELLED"] as const
export type CampaignStatus = (typeof CampaignStatus)[number]

/** Why the server paused a running campaign. */
export type PausedFor =
  | "PERSON"
  /** The next message cannot be paid: the balance is too low, the daily cap is reached, or the channel has no price. */
  | "MONEY"
  /** The template cannot be sent any more, the number is disconnected, or the channel has no provider. */
  | "CHANNEL"

/** How many recipients are in each state. */
export type Progress = { readonly [S in DeliveryStatus]: number }

export const noProgress: Progress = { PENDING: 0, SENT: 0, DELIVERED: 0, READ: 0, FAILED: 0, SKIPPED: 0 }

/** One text to many recipients. `CampaignStore.recipients` reads the recipients. */
export interface Campaign {
  readonly environment: string
  /** `cmp_…` */
  readonly id: string
  /**
   * The version this state was read at; 0 for a campaign that is not stored yet. Each recipient has its own version.
   */
  readonly version: number
  readonly name: string
  readonly channel: CampaignChannel
  /** The template version at creation: later edits of the template do not change the campaign. */
  readonly text: TextReference
  readonly status: CampaignStatus
  readonly pausedFor: PausedFor | null
  /** Tells team members what to fix before they resume the campaign. */
  readonly problem: string | null
  /** The number of recipients, without duplicates. */
  readonly total: number
  /** The idempotency key of the request that created the campaign, or null. Unique within an environment. */
  readonly command: string | null
  readonly startAt: Instant
  readonly createdAt: Instant
  /** When the campaign became `DONE` or `CANCELLED`. It sends nothing after that. */
  readonly finishedAt: Instant | null
  /**
   * Increases by one when the campaign is created, resumed or cancelled. Only the job with the current number works;
   * older jobs end.
   */
  readonly run: number
  /**
   * The final counts, written before the recipients are deleted. Null while the recipients are stored and can be
   * counted.
   */
  readonly counts: Progress | null
}
