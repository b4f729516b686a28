import type { Effect } from "effect"
import type { IdentityType } from "../identity/Identity.ts"
import type { Accounts } from "./Account.ts"
import type { Callback } from "./Callback.ts"
import type { ChannelError } from "./ChannelError.ts"
import type { ChannelName } from "./ChannelName.ts"
import type { Message, MessageKind } from "./Message.ts"
import type { ProviderCheck } from "./ProviderCheck.ts"
import type { ProviderTemplates } from "./ProviderTemplate.ts"

/** The provider accepted the message. This does not mean that it was delivered. */
export interface Sent {
  /** The provider's id of the message. */
  readonly providerId: string | null
  /** Set only by a channel that knows immediately that the message was delivered. */
  readonly delivered?: boolean
}

/**
 * Sends messages to people through a provider. A channel sends once and reports the result. Core decides retries,
 * limits, fallback and status, in one place for all channels.
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
  /** `SMS`, `WHATSAPP`, `RCS`, `EMAIL`, or a custom name: 2 to 32 capital letters, digits and underscores. */
  readonly name: ChannelName
  /** The channel's display name in the dashboard: `LINE` for `LINE_APP`. Defaults to the name in words. */
  readonly label?: string
  /**
   * The provider behind the channel: `twilio`, `console`. Channels of one provider that fail together may share the
   * name.
   */
  readonly provider: string
  /**
   * The name of this carrier within its channel, used in deliveries, metrics and carrier tables. Defaults to the
   * provider's name; set it when two carriers of a channel share a provider.
   */
  readonly carrier?: string
  /**
   * The prefixes of the numbers it serves, as E.164 digits without `+`. It precedes carriers with shorter or no
   * prefixes. When omitted, it serves every number.
   */
  readonly prefixes?: ReadonlyArray<string>
  /** The operator's cost of a message with this carrier. `carriers: "price"` prefers the cheapest. */
  readonly price?: number
  readonly supports: {
    /** The types of identity it reaches. Core sends nothing to others. */
    readonly identityTypes: ReadonlyArray<IdentityType>
    /** Whether the provider sends receipts later. Without receipts, an accepted message counts as delivered. */
    readonly receipts: boolean
    /** Whether messages stay on this machine, as in development. Such a channel also accepts mail for `localhost`. */
    readonly local?: boolean
    /** The kinds of message it carries. Defaults to codes. Core passes it no other kind. */
    readonly kinds?: ReadonlyArray<MessageKind>
    /**
     * The sender numbers that a merchant may choose with `wabaId`. WhatsApp senders belong to one merchant, and only
     * that merchant sends its own templates from them.
     */
    readonly senders?: ReadonlyArray<string>
  }
  /**
   * The provider's limits, which core enforces in each process. The number of sends in progress can briefly exceed
   * `atOnce`, when core fetches waiting messages while new ones start.
   */
  readonly limits?: {
    readonly perSecond?: number
    readonly atOnce?: number
  }
  /** Sends once. It may take as long as the provider needs: core gives up after ten seconds. */
  readonly send: (message: Message) => Effect.Effect<Sent, ChannelError>
  /** The endpoint for the provider's receipts, if it reports them over HTTP. */
  readonly callback?: Callback
  /** For channels that let merchants send from their own numbers and receive messages there. */
  readonly accounts?: Accounts
  /** For providers that support a health check. Channels of one account share one check. */
  readonly check?: ProviderCheck
  /** For channels whose provider stores and approves the message texts. */
  readonly templates?: ProviderTemplates
}

/** Whether the sender is a number that a merchant connected, not one of the channel's own. */
export const isAccount = ({ accounts, supports }: Channel, sender: string | null | undefined): sender is string =>
  sender != null && accounts !== undefined && supports.senders?.includes(sender) !== true

/** The channels that an environment can use. */
export interface ChannelChoice {
  /** Their names, in the order of display and of selection. */
  readonly names: ReadonlyArray<ChannelName>
  /**
   * The carrier that represents the channel's capabilities: the one for merchants' own numbers, otherwise the first.
   * Undefined when the channel is not configured.
   */
  readonly find: (name: ChannelName) => Channel | undefined
}
