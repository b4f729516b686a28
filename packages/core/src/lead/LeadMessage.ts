import type { DeliveryStatus } from "../delivery/Delivery.ts"
import type { Context, InboundType, Media, Referral, Sender } from "../delivery/Inbound.ts"
import type { Price } from "../delivery/Price.ts"
import type { Instant } from "../time/Instant.ts"

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

/** One row of a conversation. */
export interface LeadMessage {
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
  /** What an outgoing one costs; absent where there was no price. */
  readonly price?: Price
  /** An outgoing one that is being handed over, or was when its process died: it is never handed over again. */
  readonly handedOver: boolean
  /** Why it failed, in the provider's word or ours. */
  readonly error: string | null
  /** Who wrote it, where it was one of us. */
  readonly sentBy: string | null
  /** When it was written: by the customer's own time, or ours. */
  readonly at: Instant
  /** The provider's name of it. No two rows of an environment share it. */
  readonly providerId: string | null
}
