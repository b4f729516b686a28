import { type PushRequest, PushSender, PushUnanswered } from "@countersign/core"
import { Clock, Effect, Layer, type Scope } from "effect"
import * as GuardedPost from "./GuardedPost.ts"
import { fromBase64Url } from "./push/base64Url.ts"
import { encrypt, newEphemeral } from "./push/encrypt.ts"
import { authorization } from "./push/vapid.ts"

export interface HttpPushSenderOptions extends Omit<GuardedPost.GuardOptions, "allowPrivate"> {
  /**
   * Allows private addresses and plain HTTP, for development and closed networks. Never enable it if people whom you do not
   * trust can sign in to the dashboard.
   */
  readonly allowPrivate?: boolean
}

const bodyOf = ({ auth, p256dh, text }: PushRequest) =>
  Effect.tryPromise({
    try: async () => encrypt(text, { auth: fromBase64Url(auth), p256dh: fromBase64Url(p256dh) }, await newEphemeral()),
    catch: () => new PushUnanswered({ problem: "the browser's keys are unusable" })
  })

/**
 * Sends Web Push messages: encrypted for the browser (RFC 8291), signed for its push service (RFC 8292), over HTTPS to
 * the public internet like webhooks.
 *
 * @example
 * ```ts
 * import { HttpPushSender } from "@countersign/webhooks"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const sender = yield* HttpPushSender.make()
 *   yield* sender.check("https://push.example.com/subscriptions/1")
 * })
 * ```
 */
export const make = ({
  deadline = "10 seconds",
  ...options
}: HttpPushSenderOptions = {}): Effect.Effect<PushSender["Service"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const { check, post } = yield* GuardedPost.make({ ...options, deadline })

    const send = Effect.fnUntraced(function* (request: PushRequest) {
      const body = yield* bodyOf(request)
      const now = yield* Clock.currentTimeMillis
      const headers = {
        authorization: yield* Effect.promise(() => authorization(request, now)),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        topic: request.topic,
        ttl: String(request.ttlSeconds),
        urgency: "high"
      }
      const { status } = yield* post({ url: request.endpoint, headers, body }).pipe(
        Effect.mapError(({ problem }) => new PushUnanswered({ problem }))
      )
      return { status }
    })

    return PushSender.of({ isOffered: true, check: (endpoint) => check("endpoint", endpoint), send })
  })

/** The layer of core's port. See {@link make}. */
export const layer = (options: HttpPushSenderOptions = {}): Layer.Layer<PushSender> =>
  Layer.effect(PushSender, make(options))
