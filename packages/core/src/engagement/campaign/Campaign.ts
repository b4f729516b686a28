import type { DeliveryStatus } from "../../foundation/delivery/Delivery.ts"
import type { TextReference } from "../../message/template/StoredTemplate.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** The channels that carry campaigns. */
export const CampaignChannel = ["WHATSAPP", "SMS"] as const
export type CampaignChannel = (typeof CampaignChannel)[number]

/**
 * `SCHEDULED` before its time, `RUNNING` while there is somebody left to write to, `PAUSED` by a person or for want of
 * money, `DONE` when nobody is left whose message was not handed over or given up, `CANCELLED` by a person.
 */
export const CampaignStatus = ["SCHEDULED", "RUNNING", "PAUSED", "DONE", "CANCELLED"] as const
export type CampaignStatus = (typeof CampaignStatus)[number]

/** Why a campaign that was running waits for somebody. */
export type PausedFor =
  | "PERSON"
  /** The next message could not be paid: the balance, the day's cap, or no price. */
  | "MONEY"
  /** The template cannot be sent any more, the number is disconnected, or the channel has no provider. */
  | "CHANNEL"

/** How many recipients are in each state. */
export type Progress = { readonly [S in DeliveryStatus]: number }

export const noProgress: Progress = { PENDING: 0, SENT: 0, DELIVERED: 0, READ: 0, FAILED: 0, SKIPPED: 0 }

/** One text to many people. Who they are is in its recipients. */
export interface Campaign {
  readonly environment: string
  /** `cmp_…` */
  readonly id: string
  /** The version this state was read at; 0 for one that nobody saved yet. Recipients have versions of their own. */
  readonly version: number
  readonly name: string
  readonly channel: CampaignChannel
  /** The words, as they were when it was made: a change of the template changes no campaign. */
  readonly text: TextReference
  readonly status: CampaignStatus
  readonly pausedFor: PausedFor | null
  /** For people: what has to be done before it can go on. */
  readonly problem: string | null
  /** Everybody it is for, without those who appear twice. */
  readonly total: number
  /** The idempotency key of the request that made it, null where it had none: no two of an environment share one. */
  readonly command: string | null
  readonly startAt: Instant
  readonly createdAt: Instant
  /** Since then nobody is written to any more: it is `DONE` or `CANCELLED`. */
  readonly finishedAt: Instant | null
  /**
   * Grows by one with whatever begins its work anew: making, resuming and cancelling it. Of its jobs, the one of this
   * number works, and an earlier one ends.
   */
  readonly run: number
  /** What became of its recipients, from when they are forgotten; null as long as they are there to be counted. */
  readonly counts: Progress | null
}
