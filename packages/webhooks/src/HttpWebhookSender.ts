import { InvalidField, type WebhookAnswer, type WebhookRequest, WebhookSender } from "@countersign/core"
import { DateTime, Duration, Effect, Layer, Result, type Scope } from "effect"
import { isIP, isIPv4 } from "node:net"
import { type ConnectionFault, type ConnectionOptions, open, type Reply } from "./Connections.ts"
import { isPublic } from "./PublicAddress.ts"
import { fromNameServers, fromSystem, type Resolve, type Unresolved } from "./Resolver.ts"
import { fromCode, unanswered } from "./unanswered.ts"
import { parseUrl, type WebhookTarget } from "./WebhookUrl.ts"

/** The seconds that a `Retry-After` header asks for, if it can be read: a number, or a date in the form HTTP wants. */
export const retryAfter = (header: string | undefined, now: number): number | null => {
  const text = header?.trim() ?? ""
  if (/^\d{1,9}$/.test(text)) return Number(text)
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}

export interface HttpWebhookSenderOptions extends ConnectionOptions {
  /**
   * Lets webhooks go to any address, also without TLS: for development and for closed networks. Never where somebody
   * you do not trust may register one.
   */
  readonly allowPrivate?: boolean
  /** For one try, from the look-up of the name to the last byte of the answer; 15 seconds. */
  readonly deadline?: Duration.Input
  /** Finds the addresses of a name. Name servers, or with `allowPrivate` the system, if not given. */
  readonly resolve?: Resolve
}

/** A registration waits less long than a send. */
const checkWithin: Duration.Input = "5 seconds"
/** With more addresses than these, the others are judged, but not tried. */
const mostAddresses = 3

/** Follows a refusal that private addresses being allowed would lift. */
const inDevelopment =
  ". In development, COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS=true allows http and private addresses; in your own process it is " +
  "`allowPrivate` of HttpWebhookSender"

const problemOf = ({ reason }: Unresolved) =>
  reason === "UNKNOWN" ? "the host name has no address" : "the host name could not be looked up"

/**
 * Sends webhooks over HTTPS to the public internet. Every address of a name must be public, at each send, and the
 * connection goes to the very address that was judged. Redirects are answers, and proxies of the environment are not
 * asked. Idle connections are kept for a few seconds, and end with the scope.
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
export const make = ({
  allowPrivate = false,
  deadline = "15 seconds",
  resolve = allowPrivate ? fromSystem : fromNameServers(),
  ...connections
}: HttpWebhookSenderOptions = {}): Effect.Effect<WebhookSender["Service"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const post = yield* open(connections)
    const late = `there was no complete answer within ${Duration.toSeconds(deadline)} seconds`

    /** The addresses that may be connected to: all of the host's, or none. */
    const addressesOf = Effect.fnUntraced(function* ({ host }: WebhookTarget) {
      if (isIP(host) !== 0) return [host]
      const found = yield* resolve(host).pipe(Effect.mapError((error) => unanswered("DNS", problemOf(error))))
      const known = found.filter((address) => isIP(address) !== 0)
      if (known.length === 0) return yield* unanswered("DNS", "the host name has no address")
      if (!allowPrivate && !found.every(isPublic)) {
        return yield* unanswered(
          "ADDRESS_REFUSED",
          "the host name leads to an address that is not on the public internet"
        )
      }
      // Not every network we run in has IPv6.
      return known.toSorted((a, b) => Number(isIPv4(b)) - Number(isIPv4(a))).slice(0, mostAddresses)
    })

    const check = Effect.fnUntraced(function* (url: string) {
      const invalid = (problem: string) => new InvalidField({ field: "url", problem })
      const parsed = Result.mapError(parseUrl(url, allowPrivate), (problem) =>
        invalid(Result.isSuccess(parseUrl(url, true)) ? `${problem}${inDevelopment}` : problem)
      )
      const target = yield* Effect.fromResult(parsed)
      // The server of a developer may not be there yet.
      if (allowPrivate) return
      yield* addressesOf(target).pipe(
        Effect.mapError(({ problem, reason }) =>
          invalid(`cannot be used: ${problem}${reason === "ADDRESS_REFUSED" ? inDevelopment : ""}`)
        ),
        Effect.timeoutOrElse({
          duration: checkWithin,
          orElse: () => Effect.fail(invalid("cannot be used: the host name could not be looked up"))
        })
      )
    })

    const answerOf = Effect.fnUntraced(function* ({ body, retryAfter: header, status }: Reply) {
      const now = yield* DateTime.now
      const answer: WebhookAnswer = { status, retryAfterSeconds: retryAfter(header, now.epochMilliseconds), body }
      return answer
    })

    const send = ({ body, headers, url }: WebhookRequest) =>
      Effect.gen(function* () {
        const target = yield* Effect.fromResult(
          Result.mapError(parseUrl(url, allowPrivate), (problem) => unanswered("ADDRESS_REFUSED", `the URL ${problem}`))
        )
        const addresses = yield* addressesOf(target)
        // Another address is tried only if nobody heard us at the one before.
        const attempt = (index: number): Effect.Effect<Reply, ConnectionFault> =>
          post({ target, address: addresses[index] ?? "", headers, body }).pipe(
            Effect.catch((fault) =>
              fault.connected || index + 1 >= addresses.length ? Effect.fail(fault) : attempt(index + 1)
            )
          )
        const reply = yield* attempt(0).pipe(Effect.mapError(({ code }) => fromCode(code)))
        return yield* answerOf(reply)
      }).pipe(Effect.timeoutOrElse({ duration: deadline, orElse: () => Effect.fail(unanswered("TIMEOUT", late)) }))

    return WebhookSender.of({ check, send })
  })

/** The layer of core's port. See {@link make}. */
export const layer = (options: HttpWebhookSenderOptions = {}): Layer.Layer<WebhookSender> =>
  Layer.effect(WebhookSender, make(options))
