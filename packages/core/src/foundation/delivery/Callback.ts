import { type Effect, Schema } from "effect"
import type { Because } from "./ChannelError.ts"
import type { DeliveryStatus } from "./Delivery.ts"
import type { Inbound } from "./Inbound.ts"
import type { TemplateName } from "./Message.ts"

/** A request from a provider to the server. */
export interface CallbackRequest {
  readonly method: string
  /** The URL that the provider called: the server's public URL with path and query. Signatures cover it. */
  readonly url: string
  readonly query: { readonly [name: string]: string }
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined
  /** The raw bytes, because signatures cover them. */
  readonly body: Uint8Array
}

/** A provider's report about one message. Repeated, late and out-of-order receipts are normal and harmless. */
export interface Receipt {
  /** The `reference` of the message, as the provider returned it. */
  readonly reference: string
  /**
   * The provider's id of the sending number, for channels that sign references with `referenceFrom`. The server ignores
   * a receipt from another number.
   */
  readonly sender?: string
  readonly status: Exclude<DeliveryStatus, "PENDING" | "SKIPPED">
  readonly providerId: string | null
  readonly providerCode: string | null
  /** The reason for a failure, if the provider reports one. Core records `opted_out` as an opt-out from campaigns. */
  readonly because?: Because
}

/** The response to the provider, and the reports that the request contained. */
export interface CallbackAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly receipts: ReadonlyArray<Receipt>
  /** Incoming messages, for providers that report them on the same callback. */
  readonly inbound: ReadonlyArray<Inbound>
  /** Templates that changed at the provider. The template module then fetches their new state. */
  readonly templates?: ReadonlyArray<TemplateName>
}

/** The request did not come from the provider: its signature is missing or wrong. The server ignores all of it. */
export class CallbackRefused extends Schema.TaggedError<CallbackRefused>()("CallbackRefused", {
  provider: Schema.String
}) {}

/** The address for a provider's reports: `GET|POST /v1/callbacks/{name}`. */
export interface Callback {
  readonly name: string
  /**
   * Checks whether the signature header of a POST is present and well-formed. Runs before the body is read, so that a
   * stranger cannot make the server buffer a large body.
   */
  readonly checkHeaders?: (header: CallbackRequest["header"]) => boolean
  /** In bytes. Defaults to 64 KB; set it for providers that send more in one request. */
  readonly largestBody?: number
  /** Verifies the signature and parses the request. Stores nothing. */
  readonly receive: (request: CallbackRequest) => Effect.Effect<CallbackAnswer, CallbackRefused>
}
