import { BlockList, isIPv4, isIPv6 } from "node:net"

/**
 * Addresses that webhooks never go to: those that IANA's special-purpose registries do not call global, those that embed
 * an IPv4 address, and Azure's internal service address.
 */
const refusedV4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared by the customers of one carrier; also some clouds' metadata
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure's own services
  "169.254.0.0/16", // link-local, most clouds' metadata
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments; also Oracle's metadata
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // relays from 6to4
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4" // reserved, and broadcast
]

/** Global unicast. Loopback, mapped, NAT64, unique local, link-local and multicast addresses are outside this range. */
const globalV6 = "2000::/3"

const refusedV6 = [
  "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "3fff::/20" // documentation
]

const listOf = (family: "ipv4" | "ipv6", ranges: ReadonlyArray<string>) => {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = "", prefix] = range.split("/")
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

// Separate lists, because a common list would treat IPv4 addresses as mapped IPv6 addresses.
const refused = { ipv4: listOf("ipv4", refusedV4), ipv6: listOf("ipv6", refusedV6) }
const global = listOf("ipv6", [globalV6])

/** Whether an address is a public unicast address. False for anything that is not an address. */
export const isPublic = (address: string): boolean => {
  if (isIPv4(address)) return !refused.ipv4.check(address, "ipv4")
  // An address with a zone is local to a network interface.
  if (!isIPv6(address) || address.includes("%")) return false
  return global.check(address, "ipv6") && !refused.ipv6.check(address, "ipv6")
}
