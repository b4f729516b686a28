import { sessionCookie } from "./contract/Security.ts"
import type { WireRequest } from "./WireRequest.ts"

/** The dashboard's origin, and the name of its session cookie. */
export interface DashboardOrigin {
  /** In the format of the `Origin` header. */
  readonly origin: string
  readonly cookie: string
}

/**
 * The cookie without TLS. Any page on this machine, on any port, can set and read it. So it is for development, and is
 * read only when the request names this machine.
 */
const developmentCookie = "countersign-dev"

/** A `Host` in the format of browsers: lower case, with a port unless it is the scheme's default. */
const wellFormed = /^([a-z0-9]([a-z0-9_.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$/
const thisMachine = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]{1,5})?$/

const local = /^((::ffff:)?127(\.[0-9]{1,3}){3}|::1)$/
const nothing = /(?!)/

/** Headers that proxies add, and the values that still mean this machine. */
const passedOn: ReadonlyArray<readonly [header: string, here: RegExp]> = [
  ["x-forwarded-host", thisMachine],
  ["x-forwarded-proto", /^http$/],
  ["x-forwarded-for", local],
  ["x-real-ip", local],
  ["forwarded", nothing],
  ["via", nothing]
]

/**
 * For a browser on this machine. A proxy for other clients may use this machine's name as `Host`. A page on a sibling
 * domain of the proxy could then set this cookie, so the headers that proxies add disable it.
 */
const development = (request: WireRequest): DashboardOrigin | null => {
  const host = request.header("host") ?? ""
  const isHere = passedOn.every(([name, here]) => {
    const said = request.header(name)
    return said === undefined || here.test(said)
  })
  return isHere && thisMachine.test(host) ? { origin: `http://${host}`, cookie: developmentCookie } : null
}

/** Without a configured public URL, the dashboard's origin is the requested host, over TLS. */
const unnamed = (request: WireRequest): DashboardOrigin | null => {
  const host = request.header("host") ?? ""
  if (thisMachine.test(host)) return development(request)
  return wellFormed.test(host) ? { origin: `https://${host}`, cookie: sessionCookie } : null
}

const nowhere = () => null

/**
 * Finds the dashboard's own origin. With an `https` `publicUrl` it is always that URL. With a local `publicUrl` it is the
 * local name that the browser uses. `X-Forwarded-Host` is never trusted: behind a proxy that changes `Host`, set
 * `publicUrl`. Null when sign-in is impossible: without TLS, except on this machine.
 */
export const make = (publicUrl: string | undefined): ((request: WireRequest) => DashboardOrigin | null) => {
  if (publicUrl === undefined) return unnamed
  const { host, origin, protocol } = new URL(publicUrl)
  if (protocol === "https:") return () => ({ origin, cookie: sessionCookie })
  return thisMachine.test(host) ? development : nowhere
}
