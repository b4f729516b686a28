import { Result } from "effect"
import { isIP } from "node:net"
import { isPublic } from "./PublicAddress.ts"

/** Where a webhook goes, as its URL says. */
export interface WebhookTarget {
  readonly secure: boolean
  /** A name in ASCII without a dot at its end, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** With the query. */
  readonly path: string
  /** The `Host` header. */
  readonly authority: string
}

const longest = 2048

/** Names that every machine or cloud keeps for itself, whatever a name server says. */
const refusedNames = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa"
]

const isRefusedName = (name: string) => refusedNames.some((refused) => name === refused || name.endsWith(`.${refused}`))

const isName = (host: string) =>
  host.length <= 253 && host.split(".").every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))

/** What must be changed before webhooks may go to a host, if anything. Names are judged again by their addresses. */
const hostProblem = (host: string, allowPrivate: boolean): string | null => {
  if (isIP(host) !== 0) return allowPrivate || isPublic(host) ? null : "must be on the public internet"
  if (!isName(host)) return "must have a valid host name"
  if (allowPrivate) return null
  return host.includes(".") && !isRefusedName(host) ? null : "must be on the public internet"
}

/**
 * Reads the URL of a webhook. Addresses are judged as the URL standard reads them: `https://0x7f.1` and
 * `https://2130706433` are 127.0.0.1. The failure says what to change.
 */
export const parseUrl = (text: string, allowPrivate: boolean): Result.Result<WebhookTarget, string> => {
  if (text.length > longest) return Result.fail(`must be at most ${longest} characters`)
  // The standard drops or turns these silently, other readers of the same URL do not.
  if (/[\s\p{Cc}\\]/u.test(text)) return Result.fail("must not contain spaces, control characters or backslashes")
  if (!URL.canParse(text)) return Result.fail("must be a URL like https://example.com/webhooks")
  const { hostname, href, password, pathname, port, protocol, search, username } = new URL(text)
  // What is kept and sent to is the standard's form of it: every letter beyond ASCII becomes six characters or more.
  if (href.length > longest) {
    return Result.fail(`must be at most ${longest} characters, with letters beyond ASCII written as %XX`)
  }
  const secure = protocol === "https:"
  if (!secure && !(allowPrivate && protocol === "http:")) return Result.fail("must begin with https://")
  if (username !== "" || password !== "") return Result.fail("must not contain a user name or password")
  if (port === "0") return Result.fail("must have a port from 1 to 65535, or none")
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "")
  const problem = hostProblem(host, allowPrivate)
  if (problem !== null) return Result.fail(problem)
  const literal = host.includes(":") ? `[${host}]` : host
  return Result.succeed({
    secure,
    host,
    port: port === "" ? (secure ? 443 : 80) : Number(port),
    path: pathname + search,
    authority: port === "" ? literal : `${literal}:${port}`
  })
}
