import { Context, Effect, Layer, Schema } from "effect"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { SigningKey } from "../../foundation/secret/SigningKey.ts"

/** A push message to one browser. */
export interface PushRequest {
  /** The browser's address at its push service. */
  readonly endpoint: string
  /** The browser's public key and secret, base64url. Only the browser can decrypt the text. */
  readonly p256dh: string
  readonly auth: string
  /** The key that the browser subscribed with. Its push service accepts no other sender. */
  readonly key: SigningKey
  /** Where the push service reaches the operator; null when the deployment has no such address. */
  readonly subject: string | null
  readonly text: string
  /** A later message with the same topic replaces this one while the browser is offline. At most 32 characters. */
  readonly topic: string
  /** For how long the push service keeps the message for an offline browser. */
  readonly ttlSeconds: number
}

/** The answer of the push service, with any status. A redirect is an answer; it is not followed. */
export interface PushAnswer {
  readonly status: number
}

/** No complete answer came. The message may have arrived all the same. */
export class PushUnanswered extends Schema.TaggedError<PushUnanswered>()("PushUnanswered", {
  problem: Schema.String
}) {}

/** Sends push messages, once each. Core decides whether to try again. */
export class PushSender extends Context.Service<
  PushSender,
  {
    /** False for a deployment without push messages: nothing is sent, and the dashboard does not offer them. */
    readonly isOffered: boolean
    /** Whether push messages may go to this address. Checked when a device is added and again before each send. */
    readonly check: (endpoint: string) => Effect.Effect<void, InvalidField>
    readonly send: (request: PushRequest) => Effect.Effect<PushAnswer, PushUnanswered>
  }
>()("@countersign/core/lead/PushSender") {}

/** A sender for deployments without push messages. */
export const layerNone: Layer.Layer<PushSender> = Layer.succeed(
  PushSender,
  PushSender.of({
    isOffered: false,
    check: () => Effect.fail(invalidField("endpoint", Problem.of("PUSH_NOT_OFFERED"))),
    send: () => Effect.fail(new PushUnanswered({ problem: "push messages are not enabled" }))
  })
)
