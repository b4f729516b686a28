import { bookingsOf } from "../../account/billing/bookingsOf.ts"
import type { Delivery, DeliveryStatus } from "../../foundation/delivery/Delivery.ts"
import type { Context, InboundType, Media, Referral, Sender } from "../../foundation/delivery/Inbound.ts"
import { sendPolicies } from "../../foundation/delivery/SendPolicy.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** From the customer, to the customer, or an internal note. */
export const MessageDirection = ["IN", "OUT", "NOTE"] as const
export type MessageDirection = (typeof MessageDirection)[number]

/**
 * The kind of a conversation row: a message, or an amendment of one (reaction, edit, deletion). Amendments are separate
 * rows, deduplicated by the provider's id. So they may arrive before or after their message, or twice: `shown` combines
 * them.
 */
export const MessageKind = ["MESSAGE", "REACTION", "EDIT", "DELETION", "SYSTEM"] as const
export type MessageKind = (typeof MessageKind)[number]

/** One row of a conversation. An outgoing message is a delivery: see `isReply`. */
export interface LeadMessage extends Omit<Delivery, "handedAt" | "status" | "tries" | "unanswered"> {
  readonly environment: string
  /** `msg_…`. The delivery of an outgoing message has the same id with the prefix `dlv_`. */
  readonly id: string
  /** The version this state was read at; 0 for a row that is not stored yet. */
  readonly version: number
  /** Null for an amendment that arrived before the customer's first message. */
  readonly leadId: number | null
  /**
   * The author of an amendment without a lead, so that it appears only in their conversation. Null for all other rows.
   */
  readonly writer: Pick<Sender, "phone" | "userId"> | null
  readonly kind: MessageKind
  readonly direction: MessageDirection
  readonly type: InboundType
  /** The text, the caption, the pressed button or an emoji; null when there is none or it was removed. */
  readonly text: string | null
  readonly payload: string | null
  readonly media: Media | null
  readonly location: { readonly latitude: number; readonly longitude: number } | null
  /** Orders and contact cards in the provider's format. */
  readonly details: string | null
  readonly context: Context | null
  readonly referral: Referral | null
  /** The provider's id of the amended message; null for messages. */
  readonly about: string | null
  /** A template's name, language and placeholder values; null for other messages. */
  readonly template: { readonly name: string; readonly language: string; readonly values: ReadonlyArray<string> } | null
  /** The delivery status of an outgoing message; null for all other rows. */
  readonly status: DeliveryStatus | null
  /** Since when the customer waited for this reply; null when they did not wait, and for all other rows. */
  readonly endedWait: Instant | null
  /** When the send of an outgoing message started; null before that, and for all other rows. */
  readonly handedAt: Instant | null
  /** The agent or key that wrote it; null for the customer's messages. */
  readonly sentBy: string | null
  /** When it was written: the customer's timestamp for incoming rows, otherwise the server's. */
  readonly at: Instant
  /** The provider's id of the message. Unique in an environment. */
  readonly providerId: string | null
}

/** An outgoing message. */
export type Reply = LeadMessage & Delivery

/** Whether a row is an outgoing message, which is sent as a delivery. */
export const isReply = (message: LeadMessage): message is Reply =>
  message.direction === "OUT" && message.status !== null

/** The bookings of a change to a reply. `before` is empty for a new reply. */
export const replyBookings = (before: ReadonlyArray<Reply>, after: Reply, at: Instant): ReadonlyArray<Booking> =>
  bookingsOf(before, [after], sendPolicies.reply, ({ environment, id: reference }) => ({
    environment,
    reference,
    item: null,
    channel: "WHATSAPP",
    at
  }))
