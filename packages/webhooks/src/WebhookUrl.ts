import { Problem } from "@countersign/core"
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
const hostProblem = (host: string, allowPrivate: boolean): Problem.Problem | null => {
  if (isIP(host) !== 0) return allowPrivate || isPublic(host) ? null : Problem.of("URL_PUBLIC")
  if (!isName(host)) return Problem.of("HOST_NAME")
  if (allowPrivate) return null
  return host.includes(".") && !isRefusedName(host) ? null : Problem.of("URL_PUBLIC")
}

/**
 * Parses the URL of a webhook. Reads addresses per the URL standard: `https://0x7f.1` and `https://2130706433` are
 * 127.0.0.1. The failure says what to change.
 */
export const parseUrl = (text: string, allowPrivate: boolean): Result.Result<WebhookTarget, Problem.Problem> => {
  if (text.length > longest) return Result.fail(Problem.of("TOO_LONG", { max: longest }))
  // The URL standard drops or replaces these silently, but other parsers do not.
  if (/[\s\p{Cc}\\]/u.test(text)) return Result.fail(Problem.of("URL_CHARACTERS"))
  if (!URL.canParse(text)) return Result.fail(Problem.of("URL_SUCH_AS"))
  const { hostname, href, password, pathname, port, protocol, search, username } = new URL(text)
  // The normalized URL is stored, in which every non-ASCII letter takes six characters or more.
  if (href.length > longest) {
    return Result.fail(Problem.of("URL_ENCODED_TOO_LONG", { max: longest }))
  }
  const secure = protocol === "https:"
  if (!secure && !(allowPrivate && protocol === "http:")) return Result.fail(Problem.of("URL_HTTPS"))
  if (username !== "" || password !== "") return Result.fail(Problem.of("URL_USER"))
  if (port === "0") return Result.fail(Problem.of("URL_PORT"))
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
