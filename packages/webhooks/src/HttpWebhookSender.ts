import { type WebhookAnswer, type WebhookRequest, WebhookSender } from "@countersign/core"
import { DateTime, Effect, Layer, type Scope } from "effect"
import type { Reply } from "./Connections.ts"
import * as GuardedPost from "./GuardedPost.ts"

/** The seconds in a `Retry-After` header, given as a number or an HTTP date. Null if unreadable. */
export const retryAfter = (header: string | undefined, now: number): number | null => {
  const text = header?.trim() ?? ""
  if (/^\d{1,9}$/.test(text)) return Number(text)
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}

export interface HttpWebhookSenderOptions extends GuardedPost.GuardOptions {}

/**
 * Sends webhooks over HTTPS to the public internet. At each send, every address of the host must be public, and the
 * connection goes to exactly the checked address. Redirects are not followed, and proxies in the environment are ignored.
 * Idle connections are kept for a few seconds and closed with the scope.
 *
 * @example
 * ```ts
 * import { HttpWebhookSender } from "@countersign/webhooks"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const sender = yield* HttpWebhookSender.make()
 *   yield* sender.check("https://example.com/webhooks")
 *   return yield* sender.send({
 *     url: "https://example.com/webhooks",
 *     headers: { "content-type": "application/json" },
 *     body: "{}"
 *   })
 * })
 * ```
 */
export const make = (
  options: HttpWebhookSenderOptions = {}
): Effect.Effect<WebhookSender["Service"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const { check, post } = yield* GuardedPost.make(options)

    const answerOf = Effect.fnUntraced(function* ({ body, retryAfter: header, status }: Reply) {
      const now = yield* DateTime.now
      const answer: WebhookAnswer = { status, retryAfterSeconds: retryAfter(header, now.epochMilliseconds), body }
      return answer
    })

    return WebhookSender.of({
      check: (url) => check("url", url),
      send: (request: WebhookRequest) => Effect.flatMap(post(request), answerOf)
    })
  })

/** The layer of core's port. See {@link make}. */
export const layer = (options: HttpWebhookSenderOptions = {}): Layer.Layer<WebhookSender> =>
  Layer.effect(WebhookSender, make(options))
