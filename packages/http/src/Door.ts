import { sessionCookie } from "./contract/Security.ts"
import type { WireRequest } from "./WireRequest.ts"

/** Where the dashboard is for a browser, and the cookie that it keeps a session in there. */
export interface Door {
  /** As a browser writes it into `Origin`. */
  readonly origin: string
  readonly cookie: string
}

/**
 * The cookie without TLS. Any page of this machine, on any port, can set and read it: it is a developer's, and is looked
 * at only where the dashboard is reached by the name of this machine.
 */
const developmentCookie = "countersign-dev"

/** A `Host` as browsers write it: in lower case, with a port where it is not the scheme's own. */
const wellFormed = /^([a-z0-9]([a-z0-9_.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$/
const thisMachine = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]{1,5})?$/

const local = /^((::ffff:)?127(\.[0-9]{1,3}){3}|::1)$/
const nothing = /(?!)/

/** What proxies say of whom they speak for, and what of that is still this machine. */
const passedOn: ReadonlyArray<readonly [header: string, here: RegExp]> = [
  ["x-forwarded-host", thisMachine],
  ["x-forwarded-proto", /^http$/],
  ["x-forwarded-for", local],
  ["x-real-ip", local],
  ["forwarded", nothing],
  ["via", nothing]
]

/**
 * A browser on this machine. A proxy that serves others may call us by the name of this machine, and then whoever can
 * set a cookie for a sibling of its name could set this one: what such a proxy adds shuts this door.
 */
const development = (request: WireRequest): Door | null => {
  const host = request.header("host") ?? ""
  const isHere = passedOn.every(([name, here]) => {
    const said = request.header(name)
    return said === undefined || here.test(said)
  })
  return isHere && thisMachine.test(host) ? { origin: `http://${host}`, cookie: developmentCookie } : null
}

/** Where nobody said what the service is called, it is called what the browser asked for, over TLS. */
const unnamed = (request: WireRequest): Door | null => {
  const host = request.header("host") ?? ""
  if (thisMachine.test(host)) return development(request)
  return wellFormed.test(host) ? { origin: `https://${host}`, cookie: sessionCookie } : null
}

const nowhere = () => null

/**
 * Finds the dashboard's own origin. With an `https` `publicUrl` it is that one, whatever a request says; with one of
 * this machine it is what the browser calls this machine. `X-Forwarded-Host` is never believed: behind a proxy that
 * changes `Host`, `publicUrl` says where the dashboard is. Null where nobody can be signed in: without TLS, and not on
 * this machine.
 */
export const make = (publicUrl: string | undefined): ((request: WireRequest) => Door | null) => {
  if (publicUrl === undefined) return unnamed
  const { host, origin, protocol } = new URL(publicUrl)
  if (protocol === "https:") return () => ({ origin, cookie: sessionCookie })
  return thisMachine.test(host) ? development : nowhere
}
