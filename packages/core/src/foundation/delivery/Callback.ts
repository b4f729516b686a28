import { type Effect, Schema } from "effect"
import type { Because } from "./ChannelError.ts"
import type { DeliveryStatus } from "./Delivery.ts"
import type { Inbound } from "./Inbound.ts"
import type { TemplateName } from "./Message.ts"

/** A request that a provider made to us. */
export interface CallbackRequest {
  readonly method: string
  /** As the provider called it: the service's public URL with path and query. Signatures are made over it. */
  readonly url: string
  readonly query: { readonly [name: string]: string }
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined
  /** The bytes as they came: signatures are made over them too. */
  readonly body: Uint8Array
}

/** A provider's report about one message. Repeated, late and disordered receipts are normal, and harmless. */
export interface Receipt {
  /** The `reference` of the message, as the provider gave it back. */
  readonly reference: string
  /**
   * The provider's id of the number that the message went out from, for channels that sign their references with
   * `referenceFrom`: a receipt from another number is not believed.
   */
  readonly sender?: string
  readonly status: Exclude<DeliveryStatus, "PENDING" | "SKIPPED">
  readonly providerId: string | null
  readonly providerCode: string | null
  /** What a failure is about, where the provider says. `opted_out` is recorded as an opt-out from campaigns. */
  readonly because?: Because
}

/** What the provider hears, and what we learned. */
export interface CallbackAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly receipts: ReadonlyArray<Receipt>
  /** What people wrote to us, for providers that report that too. */
  readonly inbound: ReadonlyArray<Inbound>
  /** Templates of which the provider says that something about them changed; whoever keeps them asks what. */
  readonly templates?: ReadonlyArray<TemplateName>
}

/** The request is not the provider's: its signature is missing or wrong. Nothing of it was believed. */
export class CallbackRefused extends Schema.TaggedError<CallbackRefused>()("CallbackRefused", {
  provider: Schema.String
}) {}

/** The address that a provider reports to: `GET|POST /v1/callbacks/{name}`. */
export interface Callback {
  readonly name: string
  /**
   * Whether the headers of a POST can be the provider's: the signature is there and has its form. Asked before the body
   * is read, so that a stranger cannot make us collect a large body for nothing.
   */
  readonly checkHeaders?: (header: CallbackRequest["header"]) => boolean
  /** In bytes; 64 KB unless the provider sends more at once. */
  readonly largestBody?: number
  /** Checks that the request is the provider's, and reads it. It stores nothing. */
  readonly receive: (request: CallbackRequest) => Effect.Effect<CallbackAnswer, CallbackRefused>
}
