import { Context, Effect, Layer, Schema } from "effect"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"

/** A signed event on its way to a merchant's server. */
export interface WebhookRequest {
  readonly url: string
  /** Keyed by lower-case name. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** The response of the merchant's server, with any status. A redirect is a response; it is not followed. */
export interface WebhookAnswer {
  readonly status: number
  /** The delay that `Retry-After` asks for, if it is readable. */
  readonly retryAfterSeconds: number | null
  /**
   * The beginning of the response body: at most 1 KB of well-formed text, without control characters except tabs and
   * line ends.
   */
  readonly body: string
}

/**
 * No complete response came. The request may have arrived all the same, unless the reason is `ADDRESS_REFUSED` or
 * `DNS`.
 *
 * `problem` is for the merchant's delivery log: it names no address that the merchant has not typed.
 */
export class WebhookUnanswered extends Schema.TaggedError<WebhookUnanswered>()("WebhookUnanswered", {
  reason: Schema.Literals(["ADDRESS_REFUSED", "DNS", "CONNECTION", "TLS", "TIMEOUT", "PROTOCOL"]),
  problem: Schema.String
}) {}

/** Sends webhooks to merchants' servers, once each. Core decides whether to try again. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Whether webhooks may go to this URL. Checked at registration and again before each send. */
    readonly check: (url: string) => Effect.Effect<void, InvalidField>
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookAnswer, WebhookUnanswered>
  }
>()("@countersign/core/webhook/WebhookSender") {}

/** A sender for setups without webhooks: registering an endpoint fails. */
export const layerNone: Layer.Layer<WebhookSender> = Layer.succeed(
  WebhookSender,
  WebhookSender.of({
    check: () => Effect.fail(invalidField("url", Problem.of("WEBHOOKS_OFF"))),
    send: () => Effect.fail(new WebhookUnanswered({ reason: "CONNECTION", problem: "webhooks are not enabled" }))
  })
)
