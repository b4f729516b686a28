import { Result } from "effect"
import * as Problem from "../../foundation/identity/Problem.ts"

/**
 * Schemes that a browser runs or opens itself, or passes to a system program. All others may be an app's own scheme,
 * because there is no list of those.
 */
const forbidden: ReadonlySet<string> = new Set(
  (
    "about afp android-app blob brave callto chrome cid content data devtools edge facetime facetime-audio feed file " +
    "filesystem ftp ftps geo git gopher hcp help imap intent irc ircs itms itms-apps itms-appss itms-services jar " +
    "javascript ldap ldaps livescript magnet maps market mhtml mid mk mms mocha news nfs nntp opera pop rdp res " +
    "resource rlogin rtsp search search-ms sftp shell shortcuts sip sips smb sms smsto ssh svn tel telnet urn vbscript " +
    "view-source vnc webcal ws wss wyciwyg xmpp"
  ).split(" ")
)

/** Whole families of schemes: a browser's own pages, and those that Windows opens (`ms-msdt:`, `ms-settings:`). */
const forbiddenFamily = /^(chrome|edge|moz|ms|safari|x-apple)-/

/** `http` on this machine, as a URL parser writes it; only the port may differ. */
const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::[0-9]+)?(?=\/|\?|$)/

/** A host name or an address. Other characters that a URL parser accepts could have a meaning in a header. */
const host = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])$/

/** The parameters that an approval adds. With duplicates, different parsers would pick different values. */
const added = ["code", "state", "requestId"]

/** Compares text: a URL parser repairs what a browser repairs, so the text must equal the parser's output. */
const canonical = (text: string, { href, pathname, search }: URL): boolean =>
  text === href || (pathname === "/" && search === "" && `${text}/` === href)

const problemOf = (text: string, url: URL): Problem.Problem | null => {
  const scheme = url.protocol.slice(0, -1)
  if (forbidden.has(scheme) || forbiddenFamily.test(scheme)) return Problem.of("URL_SCHEME", { scheme })
  if (url.username !== "" || url.password !== "") return Problem.of("URL_USER")
  if (text.includes("#")) return Problem.of("URL_FRAGMENT")
  if (scheme === "https" || scheme === "http") {
    if (!host.test(url.hostname)) return Problem.of("URL_HOST")
  } else if (!text.startsWith("/", scheme.length + 1)) {
    // `localhost:3000/cb` parses as an address of the scheme `localhost:`, which is not intended.
    return Problem.of("URL_SLASH")
  }
  if (!canonical(text, url)) return Problem.of("URL_SPELLING", { url: url.href })
  if (scheme === "http" && !loopback.test(text)) return Problem.of("URL_HTTPS_OR_LOCAL")
  return added.some((name) => url.searchParams.has(name)) ? Problem.of("URL_PARAMETERS") : null
}

/**
 * Where an approved login may return to: `https`, an app's own scheme, or `http` on this machine for development. It
 * has no user and no fragment, and is written as a URL parser writes it, so each address has one spelling. Fails with
 * the problem, in words that follow the address.
 *
 * @example
 * ```ts
 * import { checkRedirectUri } from "@countersign/core"
 *
 * checkRedirectUri("https://shop.example/signed-in") // Success
 * checkRedirectUri("https://shop.example:443/a/../b") // Failure: "must be written https://shop.example/b"
 * ```
 */
export const checkRedirectUri = (text: string): Result.Result<URL, string> => {
  const refused = redirectUriProblem(text)
  return refused === null ? Result.succeed(new URL(text)) : Result.fail(refused.problem)
}

/** Why an approved login may not return to an address; null when it may. */
export const redirectUriProblem = (text: string): Problem.Problem | null =>
  URL.canParse(text) && !/[\s\\*\p{Cc}\p{Cf}]/u.test(text) ? problemOf(text, new URL(text)) : Problem.of("URL_ABSOLUTE")

/**
 * Whether a merchant has registered exactly this address. On loopback any port matches, for development servers. An
 * address that could not be registered today never matches, even if it was registered before.
 */
export const isRegistered = (registered: ReadonlyArray<string>, text: string): boolean => {
  if (Result.isFailure(checkRedirectUri(text))) return false
  const wanted = text.replace(loopback, "$1")
  return registered.some(
    (entry) => entry === text || (loopback.test(entry) && entry.replace(loopback, "$1") === wanted)
  )
}
