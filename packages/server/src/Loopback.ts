import { LocalRequest } from "@countersign/http"
import type { IncomingMessage } from "node:http"
import { isIPv6 } from "node:net"

const ipv4 = /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/

/** Whether only this machine is reached by this name or address: `localhost`, names below it, 127.0.0.0/8, `::1`. */
export const isLoopback = (host: string): boolean => {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1")
  if (name === "localhost" || name.endsWith(".localhost") || ipv4.test(name)) return true
  if (!isIPv6(name)) return false
  const canonical = new URL(`http://[${name.split("%")[0]}]`).hostname.slice(1, -1)
  return canonical === "::1" || /^::ffff:7f[0-9a-f]{2}:/.test(canonical)
}

/**
 * Whether a `Host` header names this machine. A page of another site can make a browser connect here under its own
 * name (DNS rebinding), but the browser then sends that name.
 */
export const isLoopbackHeader = (header: string | undefined): boolean => {
  const [, host] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(header?.trim() ?? "") ?? []
  return host !== undefined && isLoopback(host)
}

/** Whether a development page answers a request: it comes straight from here, and names this machine. */
export const isForDeveloper = (request: IncomingMessage): boolean =>
  isLoopbackHeader(request.headers.host) &&
  LocalRequest.isLocal({
    header: (name) => request.headers[name]?.toString(),
    remoteAddress: request.socket.remoteAddress ?? null
  })

/** What the pages of development answer to everybody else. */
export const refusal = {
  errorCode: "FORBIDDEN",
  message:
    "This page is for development: open it at http://localhost on the machine that the server runs on, without a proxy in between",
  requestId: null
}
