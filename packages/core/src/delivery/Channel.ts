import { Context, type Effect, Layer, type Redacted } from "effect"
import type { IdentityType } from "../identity/Identity.ts"
import type { Instant } from "../time/Instant.ts"
import type { ChannelError } from "./ChannelError.ts"
import type { ChannelName } from "./ChannelName.ts"
import type { SendOptions } from "./Delivery.ts"

/** One message to one person, made at the moment of sending and kept nowhere. */
export interface Message {
  /** Our name for this send. It travels to the provider, so that receipts find their way back. */
  readonly deliveryId: string
  /** E.164 with `+`, or an e-mail address. */
  readonly to: string
  readonly code: Redacted.Redacted
  readonly subject: string
  readonly text: Redacted.Redacted
  readonly brand: string
  readonly locale: string
  /** A message that arrives later than this is of no use. */
  readonly expiresAt: Instant
  readonly options: SendOptions
}

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
 * import type { Channel } from "@countersign/core"
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
  /** Who carries the message: `twilio`, `console`. */
  readonly provider: string
  readonly supports: {
    readonly identityTypes: ReadonlyArray<IdentityType>
    /** Whether the provider reports later what became of a message. */
    readonly receipts: boolean
    /** The sender numbers a merchant may ask for with `wabaId`. */
    readonly senders?: ReadonlyArray<string>
  }
  readonly send: (message: Message) => Effect.Effect<Sent, ChannelError>
}

/** Every channel that live environments can use. */
export class Channels extends Context.Service<
  Channels,
  { readonly find: (name: ChannelName) => Channel | undefined }
>()("@countersign/core/delivery/Channels") {
  static readonly layer = (channels: ReadonlyArray<Channel>): Layer.Layer<Channels> => {
    const byName = new Map(channels.map((channel) => [channel.name, channel]))
    return Layer.succeed(Channels, Channels.of({ find: (name) => byName.get(name) }))
  }
}
