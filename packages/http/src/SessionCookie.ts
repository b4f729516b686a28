import type { Door } from "./Door.ts"
import type { WireRequest } from "./WireRequest.ts"

/** More than a browser of the dashboard sends. */
const longestHeader = 8192
/** A token as it is made: nothing in it is ever quoted or encoded. */
const token = /^[A-Za-z0-9._~-]{1,256}$/

/**
 * The token in the session's cookie. Null where there is no such cookie; empty where there is none that we made, and
 * where there are two: a browser keeps one of a name for a host, so somebody else has planted the other.
 */
export const read = (request: WireRequest, { cookie }: Door): string | null => {
  const header = request.header("cookie")
  if (header === undefined) return null
  if (header.length > longestHeader) return ""
  // Of white space only the blank after a semicolon is taken off: with more, a name that a browser does not guard
  // would become one that it does.
  const values = header
    .split(/; ?/)
    .flatMap((pair) => (pair.startsWith(`${cookie}=`) ? [pair.slice(cookie.length + 1)] : pair === cookie ? [""] : []))
  if (values.length === 0) return null
  return values.length === 1 && token.test(values[0]!) ? values[0]! : ""
}

/** What a name with the prefix `__Host-` must have, or browsers keep no such cookie. */
const attributes = ({ origin }: Door) =>
  `Path=/; HttpOnly; SameSite=Lax${origin.startsWith("https:") ? "; Secure" : ""}`

/** The value of `Set-Cookie` that has a browser keep a session. */
export const set = (door: Door, value: string, seconds: number): string =>
  `${door.cookie}=${value}; Max-Age=${seconds}; ${attributes(door)}`

/** The same door with a cookie of its own beside the session's, under the same rules. */
export const beside = (door: Door, name: string): Door => ({ ...door, cookie: `${door.cookie}-${name}` })

/** What a browser keeps that has asked for a code to sign in with. */
export const asking = (door: Door): Door => beside(door, "ask")

/** The value of `Set-Cookie` that has a browser forget it. */
export const clear = (door: Door): string => set(door, "", 0)
