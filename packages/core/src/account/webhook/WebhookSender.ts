import { Context, Effect, Layer, Schema } from "effect"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"

/** A signed event on its way to a merchant's server. */
export interface WebhookRequest {
  readonly url: string
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** What the merchant's server answered, whatever it was. A redirect is an answer; it is not followed. */
export interface WebhookAnswer {
  readonly status: number
  /** What it said in `Retry-After`, if it said something we can read. */
  readonly retryAfterSeconds: number | null
  /** The beginning of its body: at most 1 KB of well-formed text, with no control characters but tabs and line ends. */
  readonly body: string
}

/**
 * No complete answer came. The request may have arrived all the same, unless the reason is `ADDRESS_REFUSED` or `DNS`.
 * `problem` is for the merchant's delivery log: it names no address that the merchant has not typed.
 */
export class WebhookUnanswered extends Schema.TaggedError<WebhookUnanswered>()("WebhookUnanswered", {
  reason: Schema.Literals(["ADDRESS_REFUSED", "DNS", "CONNECTION", "TLS", "TIMEOUT", "PROTOCOL"]),
  problem: Schema.String
}) {}

/** Carries webhooks to merchants' servers, and nowhere else. It sends once; whether to try again is decided in core. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Whether webhooks may go to this URL: asked when it is registered, and again at each send. */
    readonly check: (url: string) => Effect.Effect<void, InvalidField>
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookAnswer, WebhookUnanswered>
  }
>()("@countersign/core/webhook/WebhookSender") {}

/** Where nothing carries webhooks, none can be registered. */
export const layerNone: Layer.Layer<WebhookSender> = Layer.succeed(
  WebhookSender,
  WebhookSender.of({
    check: () =>
      Effect.fail(
        new InvalidField({ field: "url", problem: "webhooks are not enabled here: this service has no sender" })
      ),
    send: () => Effect.fail(new WebhookUnanswered({ reason: "CONNECTION", problem: "webhooks are not enabled here" }))
  })
)
