import { IpAddress } from "@countersign/core"
import * as ClientAddress from "./ClientAddress.ts"
import type { WireRequest } from "./WireRequest.ts"

/** Whose host a URL or a `Host` header names: without a port and brackets, in lower case. Null where it names none. */
const nameOf = (host: string): string | null => {
  const [, name] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host.trim()) ?? []
  return name === undefined || name === "" ? null : name.toLowerCase().replace(/^\[(.*)\]$/, "$1")
}

/** Whether only this machine is reached by this name or address: `localhost`, names below it, 127.0.0.0/8, `::1`. */
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

/** What proxies add to a request that they pass on. */
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

/** Whether a connection comes from this machine or a private network. False where its address is not known. */
export const isFromPrivateNetwork = ({ remoteAddress }: Pick<WireRequest, "remoteAddress">): boolean => {
  const address = remoteAddress === null ? null : IpAddress.parse(remoteAddress)
  return address !== null && ranges.some((range) => range.holds(address))
}

/** Whether strangers may know a host by this name: it is neither this machine nor an address of a private network. */
const isPublicName = (name: string): boolean => {
  const address = IpAddress.parse(name)
  return address === null ? !isLoopback(name) : !ranges.some((range) => range.holds(address))
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

/**
 * Whether a page of development answers: the request comes straight from here, and names this machine.
 */
export const isForDeveloper = (request: Pick<WireRequest, "header" | "remoteAddress">): boolean =>
  isLoopbackHeader(request.header("host")) && isLocal(request)

/**
 * Whether figures for the operator are answered: the request comes straight from here or a private network, and does not
 * ask for the public address. A proxy that adds no forwarding header but passes on the name that strangers called shows
 * itself by that name. One that hides the name as well cannot be told from the operator.
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
