import type { DashboardOrigin } from "./DashboardOrigin.ts"
import type { WireRequest } from "./WireRequest.ts"

/** Longer than any cookie header of the dashboard. */
const longestHeader = 8192
/** The format of a token, which never needs quoting or encoding. */
const token = /^[A-Za-z0-9._~-]{1,256}$/

/**
 * The token in the session cookie. Null without such a cookie. Empty when its value is malformed or it occurs twice: a
 * browser keeps only one cookie per name and host, so an attacker planted the other.
 */
export const read = (request: WireRequest, { cookie }: DashboardOrigin): string | null => {
  const header = request.header("cookie")
  if (header === undefined) return null
  if (header.length > longestHeader) return ""
  // Remove only the space after a semicolon. Trimming more would turn a name that browsers do not protect into one with
  // the protected `__Host-` prefix.
  const values = header
    .split(/; ?/)
    .flatMap((pair) => (pair.startsWith(`${cookie}=`) ? [pair.slice(cookie.length + 1)] : pair === cookie ? [""] : []))
  if (values.length === 0) return null
  return values.length === 1 && token.test(values[0]!) ? values[0]! : ""
}

/** The attributes that browsers require of a cookie with the prefix `__Host-`. */
const attributes = ({ origin }: DashboardOrigin) =>
  `Path=/; HttpOnly; SameSite=Lax${origin.startsWith("https:") ? "; Secure" : ""}`

/** The `Set-Cookie` value that stores a token. */
export const set = (dashboardOrigin: DashboardOrigin, value: string, seconds: number): string =>
  `${dashboardOrigin.cookie}=${value}; Max-Age=${seconds}; ${attributes(dashboardOrigin)}`

/** The same origin with a second cookie, under the same rules. */
export const beside = (dashboardOrigin: DashboardOrigin, name: string): DashboardOrigin => ({
  ...dashboardOrigin,
  cookie: `${dashboardOrigin.cookie}-${name}`
})

/** The cookie of a browser that requested a sign-in code. */
export const asking = (dashboardOrigin: DashboardOrigin): DashboardOrigin => beside(dashboardOrigin, "ask")

/** The `Set-Cookie` value that removes a cookie. */
export const clear = (dashboardOrigin: DashboardOrigin): string => set(dashboardOrigin, "", 0)
