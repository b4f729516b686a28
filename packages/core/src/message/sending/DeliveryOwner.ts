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
  /** What the step may be paid with. The owner derives the bookings from `before` and `after`. */
  readonly budget: Budget
  readonly at: Instant
  /** The job that ends with the commit; null for receipts. */
  readonly done: Lease | null
  /** Carriers that did not take the message, or did not answer; empty in most steps. */
  readonly tries: ReadonlyArray<SendTry>
}

/** What the rows of one kind of message are, and how they are stored: all that `DeliveryRunner` does not know. */
export interface DeliveryOwner<Held, D extends Delivery> {
  /** The prefix of ids of what owns the deliveries, such as `ver`. Receipts find their owner by it. */
  readonly prefix: string
  readonly policy: SendPolicy
  /** The state of what owns a delivery, as it is stored now; null where it is gone. */
  readonly load: (reference: Reference) => Effect.Effect<Held | null, StoreError>
  /** The delivery that a reference names; null where there is none. */
  readonly deliveryOf: (held: Held, reference: Reference) => D | null
  readonly channelOf: (held: Held, delivery: D) => ChannelName
  /** The number that the delivery goes to, E.164 with `+`; null where it has none, or it is not known any more. */
  readonly phoneOf: (held: Held, reference: Reference) => Effect.Effect<string | null, StoreError>
  /** When it was handed to its provider, as far as that is known; null where it was not. */
  readonly handedAtOf: (delivery: D) => Instant | null
  /** `advance` of `delivery/advance.ts`, with what this kind of message adds. */
  readonly advance: (delivery: D, news: ReadonlyArray<DeliveryNews>, now: Instant) => D | null
  /** Whether a step may lead to another message that is paid, such as a fallback. */
  readonly mayPayMore?: (held: Held, after: D, now: Instant) => boolean
  /** Commits a step. `Conflict`: the state has changed since it was loaded. */
  readonly commit: (step: DeliveryStep<Held, D>) => Effect.Effect<unknown, Conflict | Contended | StoreError>
  /** One line in the log for a message that FAILED. */
  readonly logFailure: (held: Held, delivery: D, provider: string) => Effect.Effect<void>
}

/** A message that is ready to be sent. */
export interface ReadyMessage {
  readonly _tag: "Ready"
  readonly message: Message
  /** The sender's number that it asks for; null for the channel's own. */
  readonly sender: string | null
  /** Its words are a WhatsApp template that the merchant chose, and not one of the service. */
  readonly isOwnTemplate: boolean
  /** From when it is of no use any more. */
  readonly end: Instant
  /** Carriers that it has failed with. */
  readonly avoid?: ReadonlyArray<string>
}

/** What a message is before its channel gets it: ready, failed for a reason of ours, or ended by other news. */
export type Prepared =
  | ReadyMessage
  | { readonly _tag: "Fails"; readonly providerCode: string }
  | { readonly _tag: "Ends"; readonly news: DeliveryNews }
  /** It may be on its way from an earlier try, and is of no more use: nothing is recorded. */
  | { readonly _tag: "LeftOpen"; readonly providerCode: string }

/** An owner whose messages are sent one by one, each by a job of its own. */
export interface SingleOwner<Held, D extends Delivery> extends DeliveryOwner<Held, D> {
  /** How a message ends that does not have to be sent any more; null while it has to. */
  readonly endOf?: (held: Held, delivery: D, now: Instant) => Exclude<Prepared, ReadyMessage> | null
  readonly prepare: (
    held: Held,
    delivery: D,
    environment: Pick<Caller, "environment" | "kind" | "settings">,
    channel: Channel,
    now: Instant
  ) => Effect.Effect<Prepared, StoreError>
  /** Whether it goes out another way at once while its provider rests, such as by the fallback channel. */
  readonly hasOtherWay?: (held: Held, delivery: D, now: Instant) => Effect.Effect<boolean, StoreError>
  /** The gate that a message waits at while its provider rests, where that is not the one of its job. */
  readonly waitsAt?: (held: Held, delivery: D) => { readonly gate: string; readonly lane?: string } | undefined
  /** One line in the log for a message whose provider did not say what became of it, and that is not sent again. */
  readonly logSilence: (held: Held, delivery: D, provider: string, providerCode: string) => Effect.Effect<void>
}
