import ipaddr from "ipaddr.js"

/** The interface of a link-local address. It concerns the local machine and is not part of the address. */
const zone = /%[\w.-]+$/
/** An IPv4 address at the end of an IPv6 address, in place of its last two groups. */
const dottedEnd = /^(.*:)((?:[0-9]{1,3}\.){3}[0-9]{1,3})$/

const octet = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
const v4 = new RegExp(`^${octet}\\.${octet}\\.${octet}\\.${octet}$`)

/** Four decimal numbers without leading zeros. The library's parser tries every other form first, on each request. */
const readV4 = (text: string): ipaddr.IPv4 | null => {
  const octets = v4.exec(text)
  return octets === null ? null : new ipaddr.IPv4(octets.slice(1).map(Number))
}

/** Rewrites the dotted end as groups. It must be a valid IPv4 address. */
const withoutDots = (text: string): string | null => {
  const [, groups, dotted] = dottedEnd.exec(text) ?? []
  if (groups === undefined || dotted === undefined) return text.includes(".") ? null : text
  const octets = readV4(dotted)?.octets
  if (octets === undefined) return null
  const group = (at: number) => (octets[at]! * 256 + octets[at + 1]!).toString(16)
  return `${groups}${group(0)}:${group(2)}`
}

const readV6 = (text: string): ipaddr.IPv6 | null => {
  const groups = withoutDots(text)
  return groups !== null && ipaddr.IPv6.isValid(groups) ? ipaddr.IPv6.parse(groups) : null
}

const read = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | null => {
  if (!text.includes(":")) return readV4(text)
  const address = readV6(text.replace(zone, ""))
  return address?.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/**
 * The canonical form of an address; null when it is invalid. IPv4 is four decimal numbers without leading zeros, IPv6
 * follows RFC 5952. An IPv4 address inside IPv6 (`::ffff:192.0.2.1`) becomes that IPv4 address.
 *
 * @example
 * ```ts
 * import { IpAddress } from "@countersign/core"
 *
 * IpAddress.parse("2001:DB8:0:0::1") // "2001:db8::1"
 * IpAddress.parse("::ffff:c000:201") // "192.0.2.1"
 * IpAddress.parse("192.0.2.010") // null
 * ```
 */
export const parse = (text: string): string | null => read(text)?.toString() ?? null

/** The ranges of addresses that many people share, or that say nothing about a person. */
const localRanges: ReadonlySet<string> = new Set([
  "unspecified",
  "loopback",
  "private",
  "linkLocal",
  "uniqueLocal",
  "carrierGradeNat"
])

/** Whether an address can be that of a person on the internet, and not of a proxy in a private network. */
export const isRoutable = (address: string): boolean => {
  const parsed = read(address)
  return parsed !== null && !localRanges.has(parsed.range())
}

const prefixOf = (address: ipaddr.IPv6, bytes: number): string => {
  const kept = address.toByteArray().map((byte, at) => (at < bytes ? byte : 0))
  return `${new ipaddr.IPv6(kept).toString()}/${bytes * 8}`
}

/**
 * The networks that limits count for an address; null when it is invalid. An IPv4 address counts by itself. An IPv6
 * address counts by its /64, which one household numbers freely, and by its /48, which anyone can get from a provider.
 */
export const networksOf = (address: string): { readonly own: string; readonly wider: string | null } | null => {
  const parsed = read(address)
  if (parsed === null) return null
  return parsed.kind() === "ipv4"
    ? { own: parsed.toString(), wider: null }
    : { own: prefixOf(parsed as ipaddr.IPv6, 8), wider: prefixOf(parsed as ipaddr.IPv6, 6) }
}

/** A range of addresses. */
export interface Range {
  /** The canonical form, such as `10.0.0.0/8`. */
  readonly text: string
  readonly holds: (address: string) => boolean
}

const rangeOf = (first: ipaddr.IPv4 | ipaddr.IPv6, bits: number): Range => ({
  text: `${first.toString()}/${bits}`,
  holds: (address) => {
    const parsed = read(address)
    return parsed !== null && parsed.kind() === first.kind() && parsed.match(first, bits)
  }
})

/** Parses a range such as `10.0.0.0/8` or `2001:db8::/32`, or a single address. Null for anything else. */
export const parseRange = (text: string): Range | null => {
  const slash = text.indexOf("/")
  const written = slash < 0 ? text : text.slice(0, slash)
  const first = read(written)
  if (first === null) return null
  const width = first.kind() === "ipv4" ? 32 : 128
  if (slash < 0) return rangeOf(first, width)
  if (!/^(0|[1-9][0-9]{0,2})$/.test(text.slice(slash + 1))) return null
  // For IPv4 inside IPv6, the prefix length counts from the start of the IPv6 address.
  const bits = Number(text.slice(slash + 1)) - (width === 32 && written.includes(":") ? 96 : 0)
  return bits >= 0 && bits <= width ? rangeOf(first, bits) : null
}
