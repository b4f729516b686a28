import { type InvalidField, invalidField, Problem, type WebhookUnanswered } from "@countersign/core"
import { Duration, Effect, Result, type Scope } from "effect"
import { isIP, isIPv4 } from "node:net"
import { type ConnectionFault, type ConnectionOptions, open, type Reply } from "./Connections.ts"
import { isPublic } from "./PublicAddress.ts"
import { fromNameServers, fromSystem, type Resolve, type Unresolved } from "./Resolver.ts"
import { fromCode, unanswered } from "./unanswered.ts"
import { parseUrl, type WebhookTarget } from "./WebhookUrl.ts"

export interface GuardOptions extends ConnectionOptions {
  /**
   * Allows private addresses and plain HTTP, for development and closed networks. Never enable it if people whom you do not
   * trust can register webhooks.
   */
  readonly allowPrivate?: boolean
  /** The time for one attempt, from the DNS lookup to the last byte of the answer. Default: 15 seconds. */
  readonly deadline?: Duration.Input
  /** Resolves host names. Default: name servers, or the system's resolver with `allowPrivate`. */
  readonly resolve?: Resolve
}

/** A request to an address that somebody registered. */
export interface GuardedRequest {
  readonly url: string
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array
}

/** Sends to registered addresses, and only to the public internet. */
export interface GuardedPost {
  /** Whether requests may go to this URL. The failure names this field. */
  readonly check: (field: string, url: string) => Effect.Effect<void, InvalidField>
  readonly post: (request: GuardedRequest) => Effect.Effect<Reply, WebhookUnanswered>
}

/** The timeout of a registration's check, shorter than that of a send. */
const checkWithin: Duration.Input = "5 seconds"
/** The most addresses to try. Further ones are only checked. */
const mostAddresses = 3

/** The problem of a URL that `allowPrivate` would allow. */
const unlessPrivate = (problem: Problem.Problem) =>
  Problem.of(problem.code === "URL_HTTPS" ? "URL_HTTPS_UNLESS_PRIVATE" : "URL_PUBLIC_UNLESS_PRIVATE")

const noAddress = "the host name has no address"

const problemOf = ({ reason }: Unresolved) =>
  reason === "UNKNOWN" ? noAddress : "the host name could not be looked up"

/**
 * At each send, every address of the host must be public, and the connection goes to exactly the checked address.
 * Redirects are not followed, and proxies in the environment are ignored.
 */
export const make = ({
  allowPrivate = false,
  deadline = "15 seconds",
  resolve = allowPrivate ? fromSystem : fromNameServers(),
  ...connections
}: GuardOptions): Effect.Effect<GuardedPost, never, Scope.Scope> =>
  Effect.gen(function* () {
    const send = yield* open(connections)
    const late = `the answer was not complete within ${Duration.toSeconds(deadline)} seconds`

    /** The host's addresses. Fails unless all of them are allowed. */
    const addressesOf = Effect.fnUntraced(function* ({ host }: WebhookTarget) {
      if (isIP(host) !== 0) return [host]
      const found = yield* resolve(host).pipe(Effect.mapError((error) => unanswered("DNS", problemOf(error))))
      const known = found.filter((address) => isIP(address) !== 0)
      if (known.length === 0) return yield* unanswered("DNS", noAddress)
      if (!allowPrivate && !found.every(isPublic)) {
        return yield* unanswered(
          "ADDRESS_REFUSED",
          "the host name leads to an address that is not on the public internet"
        )
      }
      // IPv4 first, because not every network has IPv6.
      return known.toSorted((a, b) => Number(isIPv4(b)) - Number(isIPv4(a))).slice(0, mostAddresses)
    })

    const check = Effect.fnUntraced(function* (field: string, url: string) {
      const parsed = Result.mapError(parseUrl(url, allowPrivate), (problem) =>
        invalidField(field, Result.isSuccess(parseUrl(url, true)) ? unlessPrivate(problem) : problem)
      )
      const target = yield* Effect.fromResult(parsed)
      // A developer's server may not be running yet.
      if (allowPrivate) return
      yield* addressesOf(target).pipe(
        Effect.mapError(({ problem, reason }) => {
          const why =
            reason === "ADDRESS_REFUSED"
              ? "HOST_PRIVATE"
              : problem === noAddress
                ? "HOST_UNKNOWN"
                : "HOST_NOT_LOOKED_UP"
          return invalidField(field, Problem.of(why))
        }),
        Effect.timeoutOrElse({
          duration: checkWithin,
          orElse: () => Effect.fail(invalidField(field, Problem.of("HOST_NOT_LOOKED_UP")))
        })
      )
    })

    const post = ({ body, headers, url }: GuardedRequest) =>
      Effect.gen(function* () {
        const target = yield* Effect.fromResult(
          Result.mapError(parseUrl(url, allowPrivate), ({ problem }) =>
            unanswered("ADDRESS_REFUSED", `the URL ${problem}`)
          )
        )
        const addresses = yield* addressesOf(target)
        // Try another address only if the previous one was not reached.
        const attempt = (index: number): Effect.Effect<Reply, ConnectionFault> =>
          send({ target, address: addresses[index] ?? "", headers, body }).pipe(
            Effect.catch((fault) =>
              fault.connected || index + 1 >= addresses.length ? Effect.fail(fault) : attempt(index + 1)
            )
          )
        return yield* attempt(0).pipe(Effect.mapError(({ code }) => fromCode(code)))
      }).pipe(Effect.timeoutOrElse({ duration: deadline, orElse: () => Effect.fail(unanswered("TIMEOUT", late)) }))

    return { check, post }
  })
