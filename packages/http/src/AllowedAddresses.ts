import { IpAddress } from "@countersign/core"
import { Effect } from "effect"
import * as ClientAddress from "./ClientAddress.ts"
import { AddressForbidden } from "./Fault.ts"
import { countRefusedAddress } from "./Metrics.ts"
import type { WireRequest } from "./WireRequest.ts"

/** Settings stay one object for as long as they are known, and their lists with them: each is read once. */
const known = new WeakMap<ReadonlyArray<string>, ReadonlyArray<IpAddress.Range>>()

/** The ranges of a list that was checked when it was set. What is no range holds nobody. */
export const rangesOf = (texts: ReadonlyArray<string>): ReadonlyArray<IpAddress.Range> => {
  const found = known.get(texts)
  if (found !== undefined) return found
  const ranges = texts.flatMap((text) => IpAddress.parseRange(text) ?? [])
  known.set(texts, ranges)
  return ranges
}

/**
 * Whether a credential may be used from where a request came from: by the connection, or by what the trusted proxies
 * say of it. A request of which nobody knows that is refused.
 */
export const admitted = (
  request: WireRequest,
  {
    allowed,
    of,
    trustedProxies
  }: {
    /** Undefined: from anywhere. */
    readonly allowed: ReadonlyArray<IpAddress.Range> | undefined
    readonly of: AddressForbidden["of"]
    readonly trustedProxies: ClientAddress.TrustedProxies
  }
): Effect.Effect<void, AddressForbidden> =>
  Effect.suspend(() => {
    if (allowed === undefined) return Effect.void
    const address = ClientAddress.of(request, trustedProxies)
    if (address !== null && allowed.some((range) => range.holds(address))) return Effect.void
    countRefusedAddress(of)
    return Effect.fail(new AddressForbidden({ of }))
  })
