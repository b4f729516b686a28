import { IpAddress } from "@countersign/core"
import { Result, Schema } from "effect"
import type { WireRequest } from "./WireRequest.ts"

/** Proxies whose `X-Forwarded-For` is trusted. */
export type TrustedProxies = ReadonlyArray<IpAddress.Range>

/** A proxy that is not an address, a range or a known word. */
export class InvalidProxy extends Schema.TaggedError<InvalidProxy>()("InvalidProxy", { proxy: Schema.String }) {
  override get message(): string {
    return `trustedProxies: ${JSON.stringify(this.proxy)} must be ${proxyForms}`
  }
}

/** The accepted formats of a proxy. */
export const proxyForms = "an address, a range such as 10.0.0.0/8, or one of the words loopback and private"

const words: Readonly<Record<string, ReadonlyArray<string>>> = {
  loopback: ["127.0.0.0/8", "::1"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]
}

/** The ranges of a word, an address or a range. Null for anything else. */
export const rangesOf = (proxy: string): TrustedProxies | null => {
  const ranges: Array<IpAddress.Range> = []
  for (const text of Object.hasOwn(words, proxy) ? words[proxy]! : [proxy]) {
    const range = IpAddress.parseRange(text)
    if (range === null) return null
    ranges.push(range)
  }
  return ranges
}

/**
 * Reads a list of trusted proxies: addresses, ranges, `loopback` for this machine and `private` for the networks that
 * the Internet does not route.
 *
 * @example
 * ```ts
 * import { ClientAddress } from "@countersign/http"
 *
 * const trustedProxies = ClientAddress.parseProxies(["loopback", "203.0.113.0/24"])
 * ```
 */
export const parseProxies = (proxies: ReadonlyArray<string>): Result.Result<TrustedProxies, InvalidProxy> => {
  const trusted: Array<IpAddress.Range> = []
  for (const proxy of proxies) {
    const ranges = rangesOf(proxy)
    if (ranges === null) return Result.fail(new InvalidProxy({ proxy }))
    trusted.push(...ranges)
  }
  return Result.succeed(trusted)
}

const bracketed = /^\[([^\]]*)\](?::[0-9]{1,5})?$/
const v4WithPort = /^([0-9.]+):[0-9]{1,5}$/

/** Parses an address from a proxy. Some append a port and put IPv6 addresses in brackets. */
const hop = (text: string): string | null => {
  const trimmed = text.trim()
  return IpAddress.parse((bracketed.exec(trimmed) ?? v4WithPort.exec(trimmed))?.[1] ?? trimmed)
}

/**
 * The client address of a request. Reads `X-Forwarded-For` from its end, where the nearest proxy wrote, and stops at the
 * first entry from an untrusted sender, because clients can send forged entries.
 */
export const of = ({ header, remoteAddress }: WireRequest, trusted: TrustedProxies): string | null => {
  let address = remoteAddress === null ? null : IpAddress.parse(remoteAddress)
  const forwarded = trusted.length === 0 ? undefined : header("x-forwarded-for")
  if (address === null || forwarded === undefined) return address
  const isTrusted = (one: string) => trusted.some((range) => range.holds(one))
  const entries = forwarded.split(",")
  while (entries.length > 0 && isTrusted(address)) {
    const next = hop(entries.pop()!)
    if (next === null) return address
    address = next
  }
  return address
}
