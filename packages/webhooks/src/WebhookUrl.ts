import { Result } from "effect"
import { isIP } from "node:net"
import { isPublic } from "./PublicAddress.ts"

/** The target of a webhook. */
export interface WebhookTarget {
  readonly secure: boolean
  /** An ASCII name without a trailing dot, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Including the query. */
  readonly path: string
  /** The `Host` header. */
  readonly authority: string
}

const longest = 2048

/** Names that are reserved for local machines and clouds, whatever DNS says. */
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

/** The problem with a host, or null. The addresses of names are checked again at each send. */
const hostProblem = (host: string, allowPrivate: boolean): string | null => {
  if (isIP(host) !== 0) return allowPrivate || isPublic(host) ? null : "must be on the public internet"
  if (!isName(host)) return "must have a valid host name"
  if (allowPrivate) return null
  return host.includes(".") && !isRefusedName(host) ? null : "must be on the public internet"
}

/**
 * Parses the URL of a webhook. Reads addresses per the URL standard: `https://0x7f.1` and `https://2130706433` are
 * 127.0.0.1. The failure says what to change.
 */
export const parseUrl = (text: string, allowPrivate: boolean): Result.Result<WebhookTarget, string> => {
  if (text.length > longest) return Result.fail(`must be at most ${longest} characters`)
  // The URL standard drops or replaces these silently, but other parsers do not.
  if (/[\s\p{Cc}\\]/u.test(text)) return Result.fail("must not contain spaces, control characters or backslashes")
  if (!URL.canParse(text)) return Result.fail("must be a URL such as https://example.com/webhooks")
  const { hostname, href, password, pathname, port, protocol, search, username } = new URL(text)
  // The normalized URL is stored, in which every non-ASCII letter takes six characters or more.
  if (href.length > longest) {
    return Result.fail(`must be at most ${longest} characters, with non-ASCII letters written as %XX`)
  }
  const secure = protocol === "https:"
  if (!secure && !(allowPrivate && protocol === "http:")) return Result.fail("must start with https://")
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
