import type { Because } from "./ChannelError.ts"
import type { Instant } from "../time/Instant.ts"
import type { Price } from "./Price.ts"

export type DeliveryStatus = "PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED"
export type DeliveryType = "OTP" | "LINK"

/** What a merchant may choose for one send. */
export interface SendOptions {
  /** DLT template id, SMS only. */
  readonly templateId?: string
  /** DLT sender id, SMS only. */
  readonly header?: string
  /** WhatsApp phone number id to send from. */
  readonly wabaId?: string
}

/**
 * One message on its way to one person. Verifications, conversations and campaigns store it as a part of their own rows.
 * Its status moves only by `advance`, and its money by `bookingsOf`.
 */
export interface Delivery {
  readonly status: DeliveryStatus
  /** What it costs; absent or null where its channel had no price. */
  readonly price?: Price | null
  /**
   * When it was handed to its provider, or was about to be: nobody hands it over again while this is set. Null before,
   * and absent for messages that are not marked. See `SendPolicy.isMarked`.
   */
  readonly handedAt?: Instant | null
  /** How often it was handed over, where that is counted. */
  readonly tries?: number
  /** A provider was asked to send it and did not answer: it may be on its way all the same. */
  readonly unanswered?: true
  /** Which of its channel's carriers it went to; absent before one was asked. */
  readonly carrier?: string
  /** The provider's name for the message. */
  readonly providerId: string | null
  /** What the failure is about, where the provider said so. */
  readonly because?: Because
  /** Why it failed or was skipped, in the provider's word or ours. */
  readonly providerCode: string | null
}

const next: { readonly [from in DeliveryStatus]: ReadonlyArray<DeliveryStatus> } = {
  PENDING: ["SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"],
  SENT: ["DELIVERED", "READ", "FAILED"],
  DELIVERED: ["READ"],
  READ: [],
  FAILED: [],
  SKIPPED: []
}

/** The delivery has ended: no further try changes it, and a receipt only where it `endedUnheard`. */
export const dead = ({ status }: Pick<Delivery, "status">): boolean => status === "FAILED" || status === "SKIPPED"

/** Whether a report moves a delivery forward. Late, repeated and out-of-order reports do not. */
export const advances = (from: DeliveryStatus, to: DeliveryStatus): boolean => next[from].includes(to)

/** Why a message FAILED that waited until it was of no use any more. */
export const notSentInTime = "not_sent_in_time"
/** Why a reply FAILED whose provider did not say whether it has it. */
export const unanswered = "unanswered"
/** Why a campaign's message FAILED whose provider did not say whether it has it. */
export const outcomeUnknown = "outcome_unknown"

/** Nothing was heard of a message that its provider was given. */
const isSilence = (code: string | null): boolean => code === unanswered || code === outcomeUnknown

/** Words that only core writes: `advance` lets no provider's code be one of them. */
export const isOurWord = (code: string): boolean => code === notSentInTime || isSilence(code)

/**
 * Core ended it without the provider's word: it was not needed any more, not sent in time, or nothing was heard of it.
 * The provider may have it all the same, so a success that it reports takes the delivery back to life.
 */
export const endedUnheard = ({ providerCode, status }: Delivery): boolean =>
  status === "SKIPPED" || (status === "FAILED" && (providerCode === notSentInTime || isSilence(providerCode)))

/** It FAILED because nothing was heard of it: the provider's own word replaces that, also where it is a failure. */
export const failedInSilence = ({ providerCode, status }: Delivery): boolean =>
  status === "FAILED" && isSilence(providerCode)
