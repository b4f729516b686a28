import type { Redacted } from "effect"
import type { Instant } from "../time/Instant.ts"

/** Who wrote. Somebody with a user name may keep the number hidden, so either of the two may be missing, never both. */
export interface Sender {
  /** E.164 digits without `+`. */
  readonly phone: string | null
  /** The provider's id of this person for this business. */
  readonly userId: string | null
  /** The name they gave themselves: their own text, as they wrote it. */
  readonly profileName: string | null
}

/** A file that the provider keeps for us. Whoever wants it asks the provider for it by its id. */
export interface Media {
  readonly id: string
  readonly mimeType: string | null
  readonly fileName: string | null
  /** In bytes, where the provider says so. */
  readonly size: number | null
}

/** What a message answers, or that it was passed on. */
export interface Context {
  /** The provider's name of the message that is answered; null when it was only forwarded. */
  readonly messageId: string | null
  readonly forwarded: boolean
}

/** The advertisement or post that brought the person here. */
export interface Referral {
  readonly sourceType: string | null
  readonly sourceId: string | null
  readonly sourceUrl: string | null
  readonly headline: string | null
  /** Names the click, for whoever paid for it. */
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

/** What every report about a conversation has. */
interface Common {
  /** The provider's name of the report. Providers repeat themselves: whoever keeps it keeps it once by this. */
  readonly id: string
  /** `whatsapp`: the name of the callback that it came through. */
  readonly provider: string
  /** Our own number that was written to, by the provider's id of it. */
  readonly receiver: string
  readonly sender: Sender
  /** When the person did it, as the provider says; our arrival time where it does not. */
  readonly at: Instant
}

/** Somebody wrote. */
export interface InboundMessage extends Common {
  readonly _tag: "Message"
  readonly type: InboundType
  /** The words, a caption, the title of what was pressed or chosen, the name of a place; null when there are none. */
  readonly text: Redacted.Redacted | null
  /** What a pressed button or a chosen row stands for, as we named it when we sent it. */
  readonly payload: string | null
  readonly media: Media | null
  readonly location: { readonly latitude: number; readonly longitude: number } | null
  readonly context: Context | null
  readonly referral: Referral | null
  /** Orders and contact cards as the provider wrote them, bounded; null for other types. It is personal. */
  readonly details: Redacted.Redacted | null
}

/** Somebody put an emoji on a message, or took it away. It is no message: nobody has to read it. */
export interface Reaction extends Common {
  readonly _tag: "Reaction"
  readonly messageId: string
  /** Null when it was taken away. */
  readonly emoji: string | null
}

/** Somebody changed the words of a message of theirs. */
export interface Edit extends Common {
  readonly _tag: "Edit"
  readonly messageId: string
  readonly text: Redacted.Redacted | null
}

/** Somebody took a message of theirs back. */
export interface Deletion extends Common {
  readonly _tag: "Deletion"
  readonly messageId: string
}

/** The provider says something about the person: a new number, above all. */
export interface SystemNote extends Common {
  readonly _tag: "System"
  /** The provider's word for it: `user_changed_number`. */
  readonly what: string
  /** E.164 digits of their new number; null for other notes. */
  readonly newPhone: string | null
}

/** What a person did in a conversation with us, as a provider reported it. */
export type Inbound = InboundMessage | Reaction | Edit | Deletion | SystemNote
