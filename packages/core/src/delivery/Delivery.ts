import type { Instant } from "../time/Instant.ts"
import type { ChannelName } from "./ChannelName.ts"
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

/** One attempt to bring a message to a person. It belongs to its verification and changes together with it. */
export interface Delivery {
  readonly id: string
  readonly channel: ChannelName
  readonly type: DeliveryType
  readonly status: DeliveryStatus
  readonly attemptNumber: number
  readonly createdAt: Instant
  readonly options: SendOptions
  /** Which version of a template of the merchant's own it says; without it, the built-in words. */
  readonly text?: { readonly id: string; readonly version: number }
  /** What it costs; absent where its channel had no price. */
  readonly price?: Price
  /** The idempotency key of the request that asked for this send: the same request never sends twice. */
  readonly command: string | null
  /** A provider was asked to send it and did not answer: it may be on its way all the same. */
  readonly unanswered?: true
  /** The provider's name for the message. */
  readonly providerId: string | null
  /** The provider's reason when it failed. */
  readonly providerCode: string | null
  /** When it was known to have come so far, by the clock of whoever heard of it; absent until then. */
  readonly sentAt?: Instant
  readonly deliveredAt?: Instant
  readonly readAt?: Instant
}

const next: { readonly [from in DeliveryStatus]: ReadonlyArray<DeliveryStatus> } = {
  PENDING: ["SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"],
  SENT: ["DELIVERED", "READ", "FAILED"],
  DELIVERED: ["READ"],
  READ: [],
  FAILED: [],
  SKIPPED: []
}

/** The delivery has ended: no receipt and no further try changes it. */
export const dead = ({ status }: Pick<Delivery, "status">): boolean => status === "FAILED" || status === "SKIPPED"

/** Whether a report moves a delivery forward. Late, repeated and out-of-order reports do not. */
export const advances = (from: DeliveryStatus, to: DeliveryStatus): boolean => next[from].includes(to)
