import { BlockList, isIPv4, isIPv6 } from "node:net"

/**
 * Where no webhook goes: what IANA's registries of special addresses do not call global, what leads to an IPv4 address
 * in disguise, and one address that a cloud answers on for its own machines.
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

/** All of unicast that is given out. Loopback, mapped, NAT64, unique local, link-local and multicast are outside. */
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

// A list for each: one list would take 0.0.0.0/0 for a part of ::/3.
const refused = { ipv4: listOf("ipv4", refusedV4), ipv6: listOf("ipv6", refusedV6) }
const global = listOf("ipv6", [globalV6])

/** Whether the address belongs to one machine on the public internet. What is not an address does not. */
export const isPublic = (address: string): boolean => {
  if (isIPv4(address)) return !refused.ipv4.check(address, "ipv4")
  // A zone means one of our own network cards.
  if (!isIPv6(address) || address.includes("%")) return false
  return global.check(address, "ipv6") && !refused.ipv6.check(address, "ipv6")
}
