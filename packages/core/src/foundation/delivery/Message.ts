import type { Redacted } from "effect"
import type { Instant } from "../time/Instant.ts"
import type { Account } from "./Account.ts"
import type { SendOptions } from "./Delivery.ts"

/** What a provider knows a template by: the same name in another language is another template. */
export interface TemplateName {
  readonly name: string
  readonly language: string
}

/** A merchant's own template that a message travels in, with what fills its text, in its order. */
export interface ProviderTemplate extends TemplateName {
  readonly values: ReadonlyArray<Redacted.Redacted>
}

/** What every message has, whatever it brings. */
interface Common {
  /** Our name for this send, unique for ever. */
  readonly deliveryId: string
  /** Travels to the provider and comes back with its receipts: up to 100 characters of `A-Za-z0-9._-`. */
  readonly reference: string
  /**
   * The reference to use instead where the channel has several senders and its receipts name theirs, as `sender`: it is
   * bound to the one that the channel chose.
   */
  readonly referenceFrom?: (sender: string) => string
  /** E.164 with `+`, one plain e-mail address, or the provider's own id of somebody who wrote to us without a number. */
  readonly to: string
  readonly brand: string
  readonly locale: string
  /** The words as the person reads them, for channels that carry words; empty where only the provider has them. */
  readonly text: Redacted.Redacted
  /** How long the message is of use, in whole seconds; null when it does not age. One that arrives later is of none. */
  readonly validForSeconds: number | null
  readonly expiresAt: Instant | null
  readonly options: SendOptions
  /** The merchant's own number that it goes out from, for channels with `accounts`. */
  readonly account?: Account
}

interface Expiring extends Common {
  readonly validForSeconds: number
  readonly expiresAt: Instant
  /** For e-mail; empty elsewhere. It may hold the secret. */
  readonly subject: Redacted.Redacted
  /** For e-mail: the same text in HTML. */
  readonly html: Redacted.Redacted | null
  /** The merchant's own template, where the provider has the words; without it the channel's own is used. */
  readonly template?: ProviderTemplate
}

/** A code to be typed. `code` alone is for providers that have the words themselves. */
export interface CodeMessage extends Expiring {
  readonly _tag: "Code"
  readonly code: Redacted.Redacted
}

/** A link to be opened. */
export interface LinkMessage extends Expiring {
  readonly _tag: "Link"
  readonly url: Redacted.Redacted
  /** The end of `url` alone, for providers whose own template holds the rest. */
  readonly token: Redacted.Redacted
}

/** A template that the provider knows by name, with what fills its places, in the template's order. */
export interface TemplateMessage extends Common {
  readonly _tag: "Template"
  readonly name: string
  readonly language: string
  readonly values: ReadonlyArray<Redacted.Redacted>
}

/** Plain words, written by a person: a reply. */
export interface TextMessage extends Common {
  readonly _tag: "Text"
  /** The provider's name of the message that this one answers, to be shown above it. */
  readonly answers: string | null
}

/**
 * One message to one person, made at the moment of sending and kept nowhere. A channel is given only the kinds that it
 * says it carries.
 */
export type Message = CodeMessage | LinkMessage | TemplateMessage | TextMessage

/** What a message brings. */
export type MessageKind = Message["_tag"]

export const MessageKind = ["Code", "Link", "Template", "Text"] as const satisfies ReadonlyArray<MessageKind>
