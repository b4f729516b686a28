import { Result } from "effect"

/** Schemes that a browser runs, opens itself or hands to a program that was not meant. */
const forbidden: ReadonlySet<string> = new Set([
  "about",
  "blob",
  "chrome",
  "content",
  "data",
  "edge",
  "facetime",
  "file",
  "filesystem",
  "ftp",
  "ftps",
  "geo",
  "intent",
  "jar",
  "javascript",
  "mailto",
  "market",
  "resource",
  "sms",
  "smsto",
  "ssh",
  "tel",
  "vbscript",
  "view-source",
  "ws",
  "wss"
]) // prettier-ignore

const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/** As text: the URL's own parser forgives what a browser's forgives, so the text has to be what the parser makes of it. */
const canonical = (text: string, { href, pathname, search }: URL): boolean =>
  text === href || (pathname === "/" && search === "" && `${text}/` === href)

const isLoopback = ({ hostname, protocol }: URL) => protocol === "http:" && loopbackHosts.has(hostname)

/**
 * Where an approved login may return to: `https`, an app's own scheme, or `http` on this machine for development. No
 * user, no fragment, and written as it is called.
 */
export const checkRedirectUri = (text: string): Result.Result<URL, string> => {
  if (!URL.canParse(text) || /[\s\\*\p{Cc}\p{Cf}]/u.test(text)) return Result.fail("is not an absolute URL")
  const url = new URL(text)
  const scheme = url.protocol.slice(0, -1)
  if (forbidden.has(scheme)) return Result.fail(`cannot be a ${scheme}: address`)
  if (scheme === "http" && !isLoopback(url)) return Result.fail("must be https; http is for localhost alone")
  if (url.username !== "" || url.password !== "") return Result.fail("must not name a user")
  if (text.includes("#")) return Result.fail("must not have a fragment")
  if (url.hostname.endsWith(".")) return Result.fail("must not end its host with a dot")
  if ((scheme === "https" || scheme === "http") && !text.startsWith(`${scheme}://`)) {
    return Result.fail("is not an absolute URL")
  }
  return canonical(text, url) ? Result.succeed(url) : Result.fail(`must be written ${url.href}`)
}

const withoutPort = (url: URL): string => {
  const same = new URL(url)
  same.port = ""
  return same.href
}

/** Whether a merchant has registered this very address. On loopback the port may be any: a development server's is. */
export const isRegistered = (registered: ReadonlyArray<string>, text: string): boolean => {
  const url = checkRedirectUri(text)
  if (Result.isFailure(url)) return false
  if (registered.includes(text)) return true
  if (!isLoopback(url.success)) return false
  const wanted = withoutPort(url.success)
  return registered.some((entry) => {
    const known = checkRedirectUri(entry)
    return Result.isSuccess(known) && isLoopback(known.success) && withoutPort(known.success) === wanted
  })
}
