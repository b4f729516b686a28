import type { DeliveryStatus } from "../../foundation/delivery/Delivery.ts"
import type { TextReference } from "../../message/template/StoredTemplate.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** The channels that can send campaigns. */
export const CampaignChannel = ["WHATSAPP", "SMS"] as const
export type CampaignChannel = (typeof CampaignChannel)[number]

/**
 * `SCHEDULED`: its start time is in the future. `RUNNING`: recipients are pending. `PAUSED`: stopped by a team member
 * or a restore, or because a message cannot be paid for or sent. `DONE`: every message was sent or has failed for good.
 * `CANCELLED`: ended by a team member.
 */
export const CampaignStatus = ["SCHEDULED", "RUNNING", "PAUSED", "DONE", "CANCELLED"] as const
export type CampaignStatus = (typeof CampaignStatus)[number]

/** Why a campaign is paused. `PERSON`: a team member or a restore paused it. The server sets the others. */
export type PauseReason =
  | "PERSON"
  /**
   * The next message cannot be paid for: the balance is too low, the daily cap is reached, or the channel has no price.
   */
  | "MONEY"
  /** The template can no longer be sent, the merchant's number is disconnected, or the channel has no provider. */
  | "CHANNEL"

/** The number of recipients in each state. */
export type Progress = { readonly [S in DeliveryStatus]: number }

export const noProgress: Progress = { PENDING: 0, SENT: 0, DELIVERED: 0, READ: 0, FAILED: 0, SKIPPED: 0 }

/** One text that is sent to many recipients. To read the recipients, see `CampaignStore.recipients`. */
export interface Campaign {
  readonly environment: string
  /** `cmp_…` */
  readonly id: string
  /** The stored version of this state; 0 for a campaign that is not stored yet. Each recipient has its own version. */
  readonly version: number
  readonly name: string
  readonly channel: CampaignChannel
  /** The template version when the campaign was created. Later edits of the template do not change the campaign. */
  readonly text: TextReference
  readonly status: CampaignStatus
  readonly pausedFor: PauseReason | null
  /** Tells team members what to fix before they resume the campaign. */
  readonly problem: string | null
  /** The number of recipients, without duplicates. */
  readonly total: number
  /** How many invalid lines of the list were left out when the campaign was created. Absent: none. */
  readonly skippedLines?: number
  /** The idempotency key of the request that created the campaign, or null. Unique within an environment. */
  readonly command: string | null
  readonly startAt: Instant
  readonly createdAt: Instant
  /** When the campaign became `DONE` or `CANCELLED`. It sends nothing after that. */
  readonly finishedAt: Instant | null
  /**
   * The number of the campaign's current job. It increases by one when the campaign is created, resumed or cancelled. A
   * job with an older number completes without doing anything.
   */
  readonly run: number
  /**
   * The final counts, written before the recipients are deleted. Null while the recipients are stored and can be
   * counted.
   */
  readonly counts: Progress | null
}
