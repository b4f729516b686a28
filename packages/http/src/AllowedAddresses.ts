import { IpAddress } from "@countersign/core"
import { Effect } from "effect"
import * as ClientAddress from "./ClientAddress.ts"
import { AddressForbidden } from "./Fault.ts"
import { countRefusedAddress } from "./Metrics.ts"
import type { WireRequest } from "./WireRequest.ts"

/** Caches parsed lists by identity: cached settings keep their lists as the same objects. */
const known = new WeakMap<ReadonlyArray<string>, ReadonlyArray<IpAddress.Range>>()

/** Parses a list that was validated when it was set. Skips invalid ranges, so they allow nobody. */
export const rangesOf = (texts: ReadonlyArray<string>): ReadonlyArray<IpAddress.Range> => {
  const found = known.get(texts)
  if (found !== undefined) return found
  const ranges = texts.flatMap((text) => IpAddress.parseRange(text) ?? [])
  known.set(texts, ranges)
  return ranges
}

/**
 * Checks that a credential may be used from the client address, as the connection or trusted proxies report it. Refuses a
 * request without a known address.
 */
export const admitted = (
  request: WireRequest,
  {
    allowed,
    of,
    trustedProxies
  }: {
    /** Undefined: any address. */
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
