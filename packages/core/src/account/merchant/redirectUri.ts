import { Result } from "effect"

/**
 * Schemes that a browser runs or opens itself, or hands to a program of the system. An app's own are all others: which
 * those are nobody can know.
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

/** Whole families of them: a browser's own pages, and what Windows opens (`ms-msdt:`, `ms-settings:`). */
const forbiddenFamily = /^(chrome|edge|moz|ms|safari|x-apple)-/

/** `http` on this machine, as a URL parser writes it; the port is the part that may differ. */
const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::[0-9]+)?(?=\/|\?|$)/

/** A name or an address. What else a URL parser lets pass could mean something in a header. */
const host = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])$/

/** What an approval adds to the address: with two of a name, every parser may take another one. */
const added = ["code", "state", "requestId"]

/** As text: a URL parser forgives what a browser forgives, so the text has to be what the parser makes of it. */
const canonical = (text: string, { href, pathname, search }: URL): boolean =>
  text === href || (pathname === "/" && search === "" && `${text}/` === href)

const problemOf = (text: string, url: URL): string | null => {
  const scheme = url.protocol.slice(0, -1)
  if (forbidden.has(scheme) || forbiddenFamily.test(scheme)) return `cannot be a ${scheme}: address`
  if (url.username !== "" || url.password !== "") return "must not name a user"
  if (text.includes("#")) return "must not have a fragment"
  if (scheme === "https" || scheme === "http") {
    if (!host.test(url.hostname)) return "must have a host of letters, digits, dots and dashes"
  } else if (!text.startsWith("/", scheme.length + 1)) {
    // `localhost:3000/cb` is an address of the scheme `localhost:`, and was not meant so.
    return "must have a / after its scheme"
  }
  if (!canonical(text, url)) return `must be written ${url.href}`
  if (scheme === "http" && !loopback.test(text)) return "must be https; http is for localhost alone"
  return added.some((name) => url.searchParams.has(name)) ? "must not have code, state or requestId in its query" : null
}

/**
 * Where an approved login may return to: `https`, an app's own scheme, or `http` on this machine for development. No
 * user, no fragment, and written as a URL parser writes it, so that one address has one spelling. It fails with the
 * problem, in words that go on after the address.
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
  if (!URL.canParse(text) || /[\s\\*\p{Cc}\p{Cf}]/u.test(text)) return Result.fail("is not an absolute URL")
  const url = new URL(text)
  const problem = problemOf(text, url)
  return problem === null ? Result.succeed(url) : Result.fail(problem)
}

/**
 * Whether a merchant has registered this very address. On loopback the port may be any: a development server's is. What
 * could not be registered today matches nothing, whatever was registered before.
 */
export const isRegistered = (registered: ReadonlyArray<string>, text: string): boolean => {
  if (Result.isFailure(checkRedirectUri(text))) return false
  const wanted = text.replace(loopback, "$1")
  return registered.some(
    (entry) => entry === text || (loopback.test(entry) && entry.replace(loopback, "$1") === wanted)
  )
}
