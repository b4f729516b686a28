import { Context, type Effect, Layer } from "effect"
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
  readonly name: ChannelName
  /** Who carries the message: `twilio`, `console`. Channels of one provider that fail together may share the name. */
  readonly provider: string
  readonly supports: {
    /** Whom it reaches. Nobody else is sent anything over it. */
    readonly identityTypes: ReadonlyArray<IdentityType>
    /** Whether the provider reports later what became of a message. Without, taken counts as delivered. */
    readonly receipts: boolean
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

/** Every channel that live environments can use. */
export class Channels extends Context.Service<
  Channels,
  {
    readonly find: (name: ChannelName) => Channel | undefined
    readonly all: ReadonlyArray<Channel>
  }
>()("@countersign/core/delivery/Channels") {
  static readonly layer = (channels: ReadonlyArray<Channel>): Layer.Layer<Channels> => {
    const byName = new Map(channels.map((channel) => [channel.name, channel]))
    return Layer.succeed(Channels, Channels.of({ find: (name) => byName.get(name), all: channels }))
  }
}
