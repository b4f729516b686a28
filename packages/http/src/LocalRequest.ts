import { IpAddress } from "@countersign/core"
import * as ClientAddress from "./ClientAddress.ts"
import type { WireRequest } from "./WireRequest.ts"

/** The host name in a `Host` header, without port and brackets, in lower case. Null if there is none. */
const nameOf = (host: string): string | null => {
  const [, name] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host.trim()) ?? []
  return name === undefined || name === "" ? null : name.toLowerCase().replace(/^\[(.*)\]$/, "$1")
}

/** Whether a name or address can only mean this machine: `localhost`, its subdomains, 127.0.0.0/8 or `::1`. */
export const isLoopback = (host: string): boolean => {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1")
  if (name === "localhost" || name.endsWith(".localhost")) return true
  const address = IpAddress.parse(name)
  return address !== null && loopback.some((range) => range.holds(address))
}

/**
 * Whether a `Host` header names this machine. A page of another site can make a browser connect here under its own
 * name (DNS rebinding), but the browser then sends that name.
 */
export const isLoopbackHeader = (header: string | undefined): boolean => {
  const name = header === undefined ? null : nameOf(header)
  return name !== null && isLoopback(name)
}

/** Headers that proxies add to forwarded requests. */
const forwardingHeaders = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip"
] as const

const loopback = ClientAddress.rangesOf("loopback") ?? []
const ranges = [...loopback, ...(ClientAddress.rangesOf("private") ?? [])]

/** Whether a connection comes from this machine or a private network. False if its address is unknown. */
export const isFromPrivateNetwork = ({ remoteAddress }: Pick<WireRequest, "remoteAddress">): boolean => {
  const address = remoteAddress === null ? null : IpAddress.parse(remoteAddress)
  return address !== null && ranges.some((range) => range.holds(address))
}

/** Whether a host name can be public: it means neither this machine nor an address of a private network. */
const isPublicName = (name: string): boolean => {
  const address = IpAddress.parse(name)
  return address === null ? !isLoopback(name) : !ranges.some((range) => range.holds(address))
}

/**
 * Whether a request comes directly from this machine or a private network. A forwarded request is never local, because a
 * proxy on this machine forwards requests of strangers.
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

/**
 * Whether development pages may answer: the request comes directly from this machine and names it as the host.
 */
export const isForDeveloper = (request: Pick<WireRequest, "header" | "remoteAddress">): boolean =>
  isLoopbackHeader(request.header("host")) && isLocal(request)

/**
 * Whether `/metrics` may answer: the request comes directly from this machine or a private network, and not for the public
 * host name. The name reveals a proxy that adds no forwarding headers. A proxy that also replaces the name cannot be
 * distinguished from the operator.
 */
export const isForOperator = (
  request: Pick<WireRequest, "header" | "remoteAddress">,
  publicUrl: string | undefined
): boolean => {
  if (!isLocal(request)) return false
  const publicName =
    publicUrl === undefined ? null : (URL.parse(publicUrl)?.hostname.replace(/^\[(.*)\]$/, "$1") ?? null)
  if (publicName === null || !isPublicName(publicName)) return true
  const asked = request.header("host")
  return asked === undefined || nameOf(asked) !== publicName
}
