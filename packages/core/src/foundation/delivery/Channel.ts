import type { Effect } from "effect"
import type { IdentityType } from "../identity/Identity.ts"
import type { Accounts } from "./Account.ts"
import type { Callback } from "./Callback.ts"
import type { ChannelError } from "./ChannelError.ts"
import type { ChannelName } from "./ChannelName.ts"
import type { Message, MessageKind } from "./Message.ts"
import type { ProviderCheck } from "./ProviderCheck.ts"
import type { ProviderTemplates } from "./ProviderTemplate.ts"

/** The provider took the message. That is not yet delivery. */
export interface Sent {
  /** The provider's name for the message. */
  readonly providerId: string | null
  /** Set only by a channel that knows at once that the message arrived. */
  readonly delivered?: boolean
}

/**
 * A way to bring a message to a person. It sends once and tells the truth; retries, limits, fallback and status are
 * decided in core, once for all channels.
 *
 * @example
 * ```ts
 * import type { Channel } from "@countersign/core/channel"
 * import { Console, Effect, Redacted } from "effect"
 *
 * const terminal: Channel = {
 *   name: "SMS",
 *   provider: "terminal",
 *   supports: { identityTypes: ["MOBILE"], receipts: false },
 *   send: (message) =>
 *     Console.log(`to ${message.to}: ${Redacted.value(message.text)}`).pipe(Effect.as({ providerId: null }))
 * }
 * ```
 */
export interface Channel {
  /** `SMS`, `WHATSAPP`, `RCS`, `EMAIL`, or a name of its own: 2 to 32 capital letters, digits and underscores. */
  readonly name: ChannelName
  /** What people call the channel, as the dashboard shows it: `LINE` for `LINE_APP`. Its name in words without one. */
  readonly label?: string
  /** Who carries the message: `twilio`, `console`. Channels of one provider that fail together may share the name. */
  readonly provider: string
  /**
   * The name of this carrier among those of the same channel: deliveries, metrics and tables of carriers say it. The
   * provider's name unless two channels share one.
   */
  readonly carrier?: string
  /** The numbers it takes first, as E.164 digits without `+`; every number unless it names some. */
  readonly prefixes?: ReadonlyArray<string>
  /** What a message costs the operator by this carrier: `carriers: "price"` prefers the cheapest. */
  readonly price?: number
  readonly supports: {
    /** Whom it reaches. Nobody else is sent anything over it. */
    readonly identityTypes: ReadonlyArray<IdentityType>
    /** Whether the provider reports later what became of a message. Without, taken counts as delivered. */
    readonly receipts: boolean
    /** Whether messages stay on this machine, as in development. Such a channel also takes mail for `localhost`. */
    readonly local?: boolean
    /** The kinds of message it carries; codes, when it says nothing. It is never given another. */
    readonly kinds?: ReadonlyArray<MessageKind>
    /**
     * The sender numbers a merchant may ask for with `wabaId`. Those of WhatsApp belong to one merchant: only that one
     * sends templates of its own from them.
     */
    readonly senders?: ReadonlyArray<string>
  }
  /**
   * What the provider can take; core keeps to it in each process. For a moment, some more than `atOnce` may be on their
   * way: those that waited in storage and are taken from there, while new ones begin.
   */
  readonly limits?: {
    readonly perSecond?: number
    readonly atOnce?: number
  }
  /** Sends once. It may take as long as the provider needs: core gives up on it after ten seconds. */
  readonly send: (message: Message) => Effect.Effect<Sent, ChannelError>
  /** Where the provider reports receipts, when it does so over HTTP. */
  readonly callback?: Callback
  /** For channels through which merchants send from numbers of their own, and people write to them. */
  readonly accounts?: Accounts
  /** For channels whose provider can be asked whether it would work. Channels of one account share one check. */
  readonly check?: ProviderCheck
  /** For channels whose provider has the words and has to approve them. */
  readonly templates?: ProviderTemplates
}

/** Whether that sender is a number that a merchant connected, and not one of the channel's own. */
export const isAccount = ({ accounts, supports }: Channel, sender: string | null | undefined): sender is string =>
  sender != null && accounts !== undefined && supports.senders?.includes(sender) !== true

/** The channels that an environment can use. */
export interface ChannelChoice {
  /** Their names, in the order in which they are shown and looked through. */
  readonly names: ReadonlyArray<ChannelName>
  /**
   * The carrier that says what a channel can do: the one that carries merchants' own numbers, or the first. Undefined
   * where none is configured.
   */
  readonly find: (name: ChannelName) => Channel | undefined
}
