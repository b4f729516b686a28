import { BlockList, isIP } from "node:net"
import type { AuthContext } from "./AuthContext.ts"

const rangesOf = (proxies: ReadonlyArray<string>): BlockList => {
  const ranges = new BlockList()
  for (const proxy of proxies) {
    const [address = "", prefix] = proxy.split("/")
    const family = isIP(address)
    if (family === 0) continue
    ranges.addSubnet(address, Number(prefix ?? (family === 4 ? 32 : 128)), family === 4 ? "ipv4" : "ipv6")
  }
  return ranges
}

/** The address in a header that proxies append to: the last one that no trusted proxy wrote. */
const addressIn = (header: string, trustedProxies: ReadonlyArray<string>): string | null => {
  const hops = header
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "")
  if (trustedProxies.length === 0) return hops.length === 1 && isIP(hops[0]!) !== 0 ? hops[0]! : null
  const trusted = rangesOf(trustedProxies)
  for (const hop of hops.reverse()) {
    const family = isIP(hop)
    if (family === 0) return null
    if (!trusted.check(hop, family === 4 ? "ipv4" : "ipv6")) return hop
  }
  return null
}

/**
 * The end user's address by the rules of better-auth's option `advanced.ipAddress`. Null when better-auth would not
 * believe any: a caller can write every header, so without `trustedProxies` a list of addresses counts for nothing.
 */
export const clientAddress = ({ context, headers }: AuthContext): string | null => {
  const {
    disableIpTracking,
    ipAddressHeaders = ["x-forwarded-for"],
    trustedProxies = []
  } = context.options.advanced?.ipAddress ?? {}
  if (disableIpTracking === true || headers === undefined) return null
  for (const name of ipAddressHeaders) {
    const header = headers.get(name)
    const address = header === null ? null : addressIn(header, trustedProxies)
    if (address !== null) return address
  }
  return null
}
