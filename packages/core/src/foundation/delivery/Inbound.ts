import type { Redacted } from "effect"
import type { Instant } from "../time/Instant.ts"

/**
 * The author of a message. People with a user name may hide their number, so one of `phone` and `userId` may be
 * missing, never both.
 */
export interface Sender {
  /** E.164 digits without `+`. */
  readonly phone: string | null
  /** The provider's id of this person for this business. */
  readonly userId: string | null
  /** The person's profile name, unchanged. */
  readonly profileName: string | null
}

/** A file stored at the provider. Fetch it there by its id. */
export interface Media {
  readonly id: string
  readonly mimeType: string | null
  readonly fileName: string | null
  /** In bytes, if the provider reports it. */
  readonly size: number | null
}

/** The message that is quoted, or the mark that this one was forwarded. */
export interface Context {
  /** The provider's id of the quoted message; null when the message was only forwarded. */
  readonly messageId: string | null
  readonly forwarded: boolean
}

/** The advertisement or post that led the person here. */
export interface Referral {
  readonly sourceType: string | null
  readonly sourceId: string | null
  readonly sourceUrl: string | null
  readonly headline: string | null
  /** The id of the click, for the advertiser. */
  readonly clickId: string | null
}

/** The kinds of message that a conversation shows. */
export const InboundType = [
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "location",
  "contacts",
  "button",
  "list",
  "order",
  "template",
  "unknown"
] as const
export type InboundType = (typeof InboundType)[number]

/** The fields of every report about a conversation. */
interface Common {
  /** The provider's id of the report. Providers repeat reports, so the inbox drops those with a known id. */
  readonly id: string
  /** The name of the callback that received it: `whatsapp`. */
  readonly provider: string
  /** The provider's id of the merchant's number that received the message. */
  readonly receiver: string
  readonly sender: Sender
  /** The provider's timestamp of the action; without one, the arrival time. */
  readonly at: Instant
}

/** A person sent a message. */
export interface InboundMessage extends Common {
  readonly _tag: "Message"
  readonly type: InboundType
  /**
   * The text, the caption, the title of the pressed button or chosen row, or the name of a place; null for other
   * messages.
   */
  readonly text: Redacted.Redacted | null
  /** The value of the pressed button or chosen row, as the merchant defined it. */
  readonly payload: string | null
  readonly media: Media | null
  readonly location: { readonly latitude: number; readonly longitude: number } | null
  readonly context: Context | null
  readonly referral: Referral | null
  /** Orders and contact cards in the provider's format, limited in size; null for other types. Personal data. */
  readonly details: Redacted.Redacted | null
}

/** A person added or removed an emoji reaction. It does not count as an unread message. */
export interface Reaction extends Common {
  readonly _tag: "Reaction"
  readonly messageId: string
  /** Null when the reaction was removed. */
  readonly emoji: string | null
}

/** A person edited a message. */
export interface Edit extends Common {
  readonly _tag: "Edit"
  readonly messageId: string
  readonly text: Redacted.Redacted | null
}

/** A person deleted a message. */
export interface Deletion extends Common {
  readonly _tag: "Deletion"
  readonly messageId: string
}

/** The provider reports a change about the person, usually a new number. */
export interface SystemNote extends Common {
  readonly _tag: "System"
  /** The provider's name of the change: `user_changed_number`. */
  readonly what: string
  /** E.164 digits of the new number; null for other changes. */
  readonly newPhone: string | null
}

/** A person's action in a conversation, as a provider reported it. */
export type Inbound = InboundMessage | Reaction | Edit | Deletion | SystemNote
