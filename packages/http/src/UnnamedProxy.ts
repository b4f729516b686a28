import { IpAddress } from "@countersign/core"
import { Effect } from "effect"
import type { TrustedProxies } from "./ClientAddress.ts"
import { isFromPrivateNetwork } from "./LocalRequest.ts"
import type { WireRequest } from "./WireRequest.ts"

const hour = 3_600_000

const warning = Effect.logWarning(
  "Requests with X-Forwarded-For come from an address that is not in TRUSTED_PROXIES (trustedProxies), so all their callers share one rate limit. Add the proxy's address"
)

/**
 * Detects a proxy that is missing from the configuration, and warns at most once an hour. Only a private address counts as
 * a proxy, because any client can send the header.
 */
export const watch = (trusted: TrustedProxies) => {
  let quietUntil = 0
  /** The warning that is due with a request; null for almost every request. `now` is monotonic time. */
  return (request: WireRequest, now: number): Effect.Effect<void> | null => {
    if (request.header("x-forwarded-for") === undefined || now < quietUntil) return null
    const address = request.remoteAddress === null ? null : IpAddress.parse(request.remoteAddress)
    if (address === null || !isFromPrivateNetwork(request)) return null
    if (trusted.some((range) => range.holds(address))) return null
    quietUntil = now + hour
    return warning
  }
}
