import { IpAddress } from "@countersign/core"
import { Result, Schema } from "effect"
import type { WireRequest } from "./WireRequest.ts"

/** Proxies whose word on where a request came from is believed. */
export type TrustedProxies = ReadonlyArray<IpAddress.Range>

/** A proxy that is not written as an address, a range or one of the words. */
export class InvalidProxy extends Schema.TaggedError<InvalidProxy>()("InvalidProxy", { proxy: Schema.String }) {
  override get message(): string {
    return `trustedProxies: ${JSON.stringify(this.proxy)} must be ${proxyForms}`
  }
}

/** How a proxy may be written. */
export const proxyForms = "an address, a range as 10.0.0.0/8, or one of the words loopback and private"

const words: Readonly<Record<string, ReadonlyArray<string>>> = {
  loopback: ["127.0.0.0/8", "::1"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]
}

/** The ranges that a word, an address or a range stands for; null where it is none of them. */
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

/** An address as proxies write it: some put a port behind, and then IPv6 into brackets. */
const hop = (text: string): string | null => {
  const trimmed = text.trim()
  return IpAddress.parse((bracketed.exec(trimmed) ?? v4WithPort.exec(trimmed))?.[1] ?? trimmed)
}

/**
 * Where a request came from. `X-Forwarded-For` is read from its end, where the nearest proxy wrote, and only as long as
 * whoever wrote an entry is trusted: anybody can send the header with entries of their own.
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
