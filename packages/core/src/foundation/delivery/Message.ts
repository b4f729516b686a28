import type { Redacted } from "effect"
import type { Instant } from "../time/Instant.ts"
import type { Account } from "./Account.ts"
import type { SendOptions } from "./Delivery.ts"

/** Identifies a template at a provider. Each language of a name is its own template. */
export interface TemplateName {
  readonly name: string
  readonly language: string
}

/** The merchant's own template for a message, and the values of its placeholders in order. */
export interface ProviderTemplate extends TemplateName {
  readonly values: ReadonlyArray<Redacted.Redacted>
}

/** The fields of every message. */
interface Common {
  /** The server's id of this send. Never reused. */
  readonly deliveryId: string
  /** Sent to the provider and returned in its receipts: up to 100 characters of `A-Za-z0-9._-`. */
  readonly reference: string
  /**
   * The reference to send instead when the channel has several senders and its receipts name one as `sender`. It is
   * bound to the chosen sender.
   */
  readonly referenceFrom?: (sender: string) => string
  /** E.164 with `+`, one plain e-mail address, or the provider's id of a person who wrote without a number. */
  readonly to: string
  readonly brand: string
  readonly locale: string
  /** The text as the person reads it, for channels that send text. Empty when only the provider has the text. */
  readonly text: Redacted.Redacted
  /** The lifetime of the message in whole seconds; null for no limit. The message is useless after it. */
  readonly validForSeconds: number | null
  readonly expiresAt: Instant | null
  readonly options: SendOptions
  /** The merchant's own number to send from, for channels with `accounts`. */
  readonly account?: Account
}

interface Expiring extends Common {
  readonly validForSeconds: number
  readonly expiresAt: Instant
  /** E-mail only; empty otherwise. May contain the secret. */
  readonly subject: Redacted.Redacted
  /** E-mail only: the same text in HTML. */
  readonly html: Redacted.Redacted | null
  /** The merchant's own template, when the provider stores the text. When omitted, the channel uses its own. */
  readonly template?: ProviderTemplate
}

/** A code for the person to enter. `code` is for providers that store the text themselves. */
export interface CodeMessage extends Expiring {
  readonly _tag: "Code"
  readonly code: Redacted.Redacted
}

/** A link for the person to open. */
export interface LinkMessage extends Expiring {
  readonly _tag: "Link"
  readonly url: Redacted.Redacted
  /** The end of `url` alone, for providers whose template contains the rest. */
  readonly token: Redacted.Redacted
}

/** A template at the provider, with the values of its placeholders in order. */
export interface TemplateMessage extends Common {
  readonly _tag: "Template"
  readonly name: string
  readonly language: string
  readonly values: ReadonlyArray<Redacted.Redacted>
}

/** Plain text that an agent wrote as a reply. */
export interface TextMessage extends Common {
  readonly _tag: "Text"
  /** The provider's id of the quoted message. */
  readonly answers: string | null
}

/** An e-mail of the service to a team member, in plain text and without a secret. */
export interface NoticeMessage extends Common {
  readonly _tag: "Notice"
  readonly subject: Redacted.Redacted
  readonly html: null
}

/** The kinds of file that a message may carry. */
export const MediaKind = ["image", "audio", "video", "document"] as const
export type MediaKind = (typeof MediaKind)[number]

/** A file that an agent attached to a reply, with an optional caption as its text. */
export interface MediaMessage extends Common {
  readonly _tag: "Media"
  readonly media: {
    readonly kind: MediaKind
    /** The provider's id, which `Accounts.upload` returned for the sending number. */
    readonly id: string
    readonly fileName: string | null
  }
}

/** One message to one person, created at send time and never stored. A channel gets only the kinds that it supports. */
export type Message = CodeMessage | LinkMessage | MediaMessage | TemplateMessage | TextMessage | NoticeMessage

/** The kind of a message. */
export type MessageKind = Message["_tag"]

export const MessageKind = [
  "Code",
  "Link",
  "Media",
  "Template",
  "Text",
  "Notice"
] as const satisfies ReadonlyArray<MessageKind>
