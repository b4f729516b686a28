import type { Effect } from "effect"
import type { Budget } from "../../account/billing/Budget.ts"
import type { DeliveryNews } from "./advance.ts"
import type { SendTry } from "./afterSend.ts"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Delivery } from "../../foundation/delivery/Delivery.ts"
import type { Message } from "../../foundation/delivery/Message.ts"
import type { Reference } from "./Reference.ts"
import type { SendPolicy } from "../../foundation/delivery/SendPolicy.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { Lease } from "../../foundation/outbox/Job.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** A change of one delivery, for its owner to commit. */
export interface DeliveryStep<Held, D extends Delivery> {
  readonly held: Held
  readonly before: D
  readonly after: D
  /** The budget for this step. The owner derives the bookings from `before` and `after`. */
  readonly budget: Budget
  readonly at: Instant
  /** The job that ends with the commit; null for receipts. */
  readonly done: Lease | null
  /** Carriers that did not take the message or did not answer; usually empty. */
  readonly tries: ReadonlyArray<SendTry>
}

/** Describes one kind of message to `DeliveryRunner`: its stored state, its policy and its storage. */
export interface DeliveryOwner<Held, D extends Delivery> {
  /** The id prefix of the records that own deliveries, such as `ver`. Receipts find their owner by it. */
  readonly prefix: string
  /** The usual policy of its messages. */
  readonly policy: SendPolicy
  /** The policy of one record's messages, if records differ. Its `silence` must be that of `policy`. */
  readonly policyOf?: (held: Held) => SendPolicy
  /** Loads the stored state of a delivery's owner; null when it was deleted. */
  readonly load: (reference: Reference) => Effect.Effect<Held | null, StoreError>
  /** Returns the delivery that a reference names; null when it does not exist. */
  readonly deliveryOf: (held: Held, reference: Reference) => D | null
  readonly channelOf: (held: Held, delivery: D) => ChannelName
  /**
   * Returns the delivery's phone number, E.164 with `+`. Null when it has none, or when the number is no longer known.
   */
  readonly phoneOf: (held: Held, reference: Reference) => Effect.Effect<string | null, StoreError>
  /** Returns when the message was handed to its provider; null when it was not. */
  readonly handedAtOf: (delivery: D) => Instant | null
  /** `advance` of `delivery/advance.ts`, extended for this kind of message. */
  readonly advance: (delivery: D, news: ReadonlyArray<DeliveryNews>, now: Instant) => D | null
  /** Whether a step may lead to another paid message, such as a fallback. */
  readonly mayPayMore?: (held: Held, after: D, now: Instant) => boolean
  /**
   * Commits a step. Fails with `Conflict` when the state has changed since it was loaded. Returns the stored state, on
   * which the next step can be decided without loading it; null when it is not known.
   */
  readonly commit: (step: DeliveryStep<Held, D>) => Effect.Effect<Held | null, Conflict | Contended | StoreError>
  /** Logs a message that FAILED. */
  readonly logFailure: (held: Held, delivery: D, provider: string) => Effect.Effect<void>
}

/** A message that is ready to be sent. */
export interface ReadyMessage {
  readonly _tag: "Ready"
  readonly message: Message
  /** The requested sender number; null for the channel's own. */
  readonly sender: string | null
  /** Whether its text is a WhatsApp template that the merchant chose, not one of the service. */
  readonly isOwnTemplate: boolean
  /** When it becomes useless. It is not sent from then on. */
  readonly end: Instant
  /** Carriers that already failed to deliver it. */
  readonly avoid?: ReadonlyArray<string>
}

/** The result of preparing a message: ready, failed for a reason of the service's own, or ended by other news. */
export type Prepared =
  | ReadyMessage
  | { readonly _tag: "Fails"; readonly providerCode: string }
  | { readonly _tag: "Ends"; readonly news: DeliveryNews }
  /** An earlier try may have sent it, and it is no longer needed. Nothing is recorded. */
  | { readonly _tag: "LeftOpen"; readonly providerCode: string }

/** An owner that sends its messages one by one, each in its own job. */
export interface SingleOwner<Held, D extends Delivery> extends DeliveryOwner<Held, D> {
  /** Returns how a message ends that is no longer needed; null while it must be sent. */
  readonly endOf?: (held: Held, delivery: D, now: Instant) => Exclude<Prepared, ReadyMessage> | null
  readonly prepare: (
    held: Held,
    delivery: D,
    environment: Pick<Caller, "environment" | "kind" | "settings">,
    channel: Channel,
    now: Instant
  ) => Effect.Effect<Prepared, StoreError>
  /** Whether it can go another way immediately while its provider rests, such as over the fallback channel. */
  readonly hasOtherWay?: (held: Held, delivery: D, now: Instant) => Effect.Effect<boolean, StoreError>
  /** The gate that a message waits at while its provider rests, if it differs from the gate of its job. */
  readonly waitsAt?: (held: Held, delivery: D) => { readonly gate: string; readonly lane?: string } | undefined
  /** Logs a message that is not sent again although its provider did not report a result. */
  readonly logSilence: (held: Held, delivery: D, provider: string, providerCode: string) => Effect.Effect<void>
}
