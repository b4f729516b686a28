import { IpAddress } from "@countersign/core"
import * as ClientAddress from "./ClientAddress.ts"
import type { WireRequest } from "./WireRequest.ts"

/** What proxies add to a request that they pass on. */
const forwardingHeaders = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip"
] as const

const ranges = ["loopback", "private"].flatMap((word) => ClientAddress.rangesOf(word) ?? [])

/** Whether a connection comes from this machine or a private network. False where its address is not known. */
export const isFromPrivateNetwork = ({ remoteAddress }: Pick<WireRequest, "remoteAddress">): boolean => {
  const address = remoteAddress === null ? null : IpAddress.parse(remoteAddress)
  return address !== null && ranges.some((range) => range.holds(address))
}

/**
 * Whether a request comes straight from this machine or a private network. A proxy on this machine passes on requests of
 * strangers, so a request that a proxy passed on is not local.
 *
 * @example
 * ```ts
 * import { LocalRequest } from "@countersign/http"
 * import { createServer } from "node:http"
 *
 * createServer((request, response) => {
 *   const header = (name: string) => request.headers[name]?.toString()
 *   const remoteAddress = request.socket.remoteAddress ?? null
 *   response.writeHead(LocalRequest.isLocal({ header, remoteAddress }) ? 200 : 403).end()
 * })
 * ```
 */
export const isLocal = (request: Pick<WireRequest, "header" | "remoteAddress">): boolean =>
  isFromPrivateNetwork(request) && forwardingHeaders.every((name) => request.header(name) === undefined)
