import type { Because } from "./ChannelError.ts"
import type { Instant } from "../time/Instant.ts"
import type { Price } from "./Price.ts"

export type DeliveryStatus = "PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED"
export type DeliveryType = "OTP" | "LINK"

/** A merchant's options for one send. */
export interface SendOptions {
  /** DLT template id, SMS only. */
  readonly templateId?: string
  /** DLT sender id, SMS only. */
  readonly header?: string
  /** The WhatsApp phone number id to send from. */
  readonly wabaId?: string
}

/**
 * One message to one person. Verifications, conversations and campaigns store it inside their own rows. Only `advance`
 * changes its status, and only `bookingsOf` derives its bookings.
 */
export interface Delivery {
  readonly status: DeliveryStatus
  /** The price; absent or null when its channel had none. */
  readonly price?: Price | null
  /**
   * When the send started. While it is set, no process sends the message again. Null before the send, and absent for
   * messages that are not marked; see `SendPolicy.isMarked`.
   */
  readonly handedAt?: Instant | null
  /** The number of sends, if the policy counts them. */
  readonly tries?: number
  /** A provider did not answer the send, so the message may still have been sent. */
  readonly unanswered?: true
  /** The carrier that sent it; absent before the first send. */
  readonly carrier?: string
  /** The provider's id of the message. */
  readonly providerId: string | null
  /** The cause of the failure, if the provider reported one. */
  readonly because?: Because
  /** The code of the failure or of the skip: the provider's, or one of core's. */
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

/** Whether the delivery has ended in failure. No retry changes it, and a receipt only when it `endedUnheard`. */
export const dead = ({ status }: Pick<Delivery, "status">): boolean => status === "FAILED" || status === "SKIPPED"

/** Whether a provider may have the message, although none has confirmed or denied it. */
export const isInDoubt = ({ handedAt, status, unanswered }: Pick<Delivery, "handedAt" | "status" | "unanswered">) =>
  status === "PENDING" && (unanswered === true || handedAt != null)

/** Whether a report moves a delivery forward. Late, repeated and out-of-order reports do not. */
export const advances = (from: DeliveryStatus, to: DeliveryStatus): boolean => next[from].includes(to)

/** The code of a message that expired before it was sent. */
export const notSentInTime = "not_sent_in_time"
/** The code of a failed reply whose provider never confirmed or denied the send. */
export const unanswered = "unanswered"
/** The code of a failed campaign message whose provider never confirmed or denied the send. */
export const outcomeUnknown = "outcome_unknown"

/** Whether the delivery failed because no answer came. */
const isSilence = (code: string | null): boolean => code === unanswered || code === outcomeUnknown

/** Codes that only core sets. `advance` replaces such a code when a provider sends it. */
export const isOurWord = (code: string): boolean => code === notSentInTime || isSilence(code)

/**
 * Whether core ended the delivery without the provider's answer: no longer needed, not sent in time, or no answer. The
 * provider may still have sent it, so a reported success revives the delivery.
 */
export const endedUnheard = ({ providerCode, status }: Delivery): boolean =>
  status === "SKIPPED" || (status === "FAILED" && (providerCode === notSentInTime || isSilence(providerCode)))

/**
 * Whether the delivery failed because no answer came. The provider's report replaces this result, even with a failure.
 */
export const failedInSilence = ({ providerCode, status }: Delivery): boolean =>
  status === "FAILED" && isSilence(providerCode)
