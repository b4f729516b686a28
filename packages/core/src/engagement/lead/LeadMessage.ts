import { bookingsOf } from "../../account/billing/bookingsOf.ts"
import type { Delivery, DeliveryStatus } from "../../foundation/delivery/Delivery.ts"
import type { Context, InboundType, Media, Referral, Sender } from "../../foundation/delivery/Inbound.ts"
import { sendPolicies } from "../../foundation/delivery/SendPolicy.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** From the customer, to the customer, or a note that no customer sees. */
export const MessageDirection = ["IN", "OUT", "NOTE"] as const
export type MessageDirection = (typeof MessageDirection)[number]

/**
 * What a row of a conversation is: a message, or something that was done to one. Amendments are rows of their own, each
 * kept once by the provider's name of it, so that it does not matter whether they come before or after what they are
 * about, or twice: `shown` puts them together.
 */
export const MessageKind = ["MESSAGE", "REACTION", "EDIT", "DELETION", "SYSTEM"] as const
export type MessageKind = (typeof MessageKind)[number]

/** One row of a conversation. An outgoing one is a delivery: see `isReply`. */
export interface LeadMessage extends Omit<Delivery, "handedAt" | "status" | "tries" | "unanswered"> {
  readonly environment: string
  /** `msg_…`. The delivery of an outgoing one is called `dlv_…` with the same end. */
  readonly id: string
  /** The version this state was read at; 0 for one that nobody saved yet. */
  readonly version: number
  /** Null for an amendment that came before its customer's first message. */
  readonly leadId: number | null
  /** Who did what has no lead, so that it is shown to nobody but them; null for all others. */
  readonly writer: Pick<Sender, "phone" | "userId"> | null
  readonly kind: MessageKind
  readonly direction: MessageDirection
  readonly type: InboundType
  /** The words, a caption, what was pressed, an emoji; null when there are none, or they were taken back. */
  readonly text: string | null
  readonly payload: string | null
  readonly media: Media | null
  readonly location: { readonly latitude: number; readonly longitude: number } | null
  /** Orders and contact cards as the provider wrote them. */
  readonly details: string | null
  readonly context: Context | null
  readonly referral: Referral | null
  /** The provider's name of the message that an amendment is about; null for messages. */
  readonly about: string | null
  /** A template's name and language, with what fills its places; null for what is none. */
  readonly template: { readonly name: string; readonly language: string; readonly values: ReadonlyArray<string> } | null
  /** What became of an outgoing one; null for all others. */
  readonly status: DeliveryStatus | null
  /** When an outgoing one was handed to its provider, or was about to be; null before, and for all others. */
  readonly handedAt: Instant | null
  /** Who wrote it, where it was one of us. */
  readonly sentBy: string | null
  /** When it was written: by the customer's own time, or ours. */
  readonly at: Instant
  /** The provider's name of it. No two rows of an environment share it. */
  readonly providerId: string | null
}

/** An outgoing message on its way to the customer. */
export type Reply = LeadMessage & Delivery

/** Whether a row is an outgoing message, which is sent as a delivery. */
export const isReply = (message: LeadMessage): message is Reply =>
  message.direction === "OUT" && message.status !== null

/** The money that a change of a reply moves; `before` is empty for a new one. */
export const replyBookings = (before: ReadonlyArray<Reply>, after: Reply, at: Instant): ReadonlyArray<Booking> =>
  bookingsOf(before, [after], sendPolicies.reply, ({ environment, id: reference }) => ({
    environment,
    reference,
    item: null,
    channel: "WHATSAPP",
    at
  }))
