import { Redacted } from "effect"
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { parse, stringify } from "node:querystring"

/** The fields of a body by name, each with all values in order. */
export type Fields = ReadonlyMap<string, ReadonlyArray<string>>

interface Address {
  readonly scheme: string
  readonly user: string
  readonly host: string
  /** Including the colon. */
  readonly port: string
  readonly rest: string
}

/** Splits a URL without changing any character, which `URL` would. */
const addressOf = (url: string): Address | null => {
  const [, scheme, user, host, port, rest] =
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*@)?(\[[^\]/?#]*\]|[^:/?#]*)(:[^/?#]*)?(.*)$/is.exec(url) ?? []
  return scheme === undefined
    ? null
    : { scheme, user: user ?? "", host: host ?? "", port: port ?? "", rest: rest ?? "" }
}

const withPort = ({ host, port, rest, scheme, user }: Address) => {
  const usual = scheme.toLowerCase() === "https://" ? ":443" : ":80"
  return `${scheme}${user}${host}${port === "" ? usual : port}${rest}`
}

const withoutPort = ({ host, rest, scheme, user }: Address) => `${scheme}${user}${host}${rest}`

/** Some of Twilio's servers sign a re-encoded query: `%20` for `+`, and `b=` for `b`. */
const rewritten = (url: string) => {
  const at = url.indexOf("?")
  return at === -1 || at === url.length - 1 ? url : `${url.slice(0, at)}?${stringify(parse(url.slice(at + 1)))}`
}

/** The variants of a URL that Twilio may have signed: with and without a port, as written and re-encoded. */
const signedAddresses = (url: string): ReadonlySet<string> => {
  const both = (text: string) => {
    const address = addressOf(text)
    return address === null ? [] : [withoutPort(address), withPort(address)]
  }
  const escaped = both(new URL(url).href)
  return new Set([...both(url), ...escaped, ...escaped.map(rewritten)])
}

/** Sorted names, each with its unique sorted values, joined without a separator. */
const glued = (fields: Fields) =>
  [...fields.keys()]
    .sort()
    .flatMap((name) => [...new Set(fields.get(name))].sort().map((value) => `${name}${value}`))
    .join("")

/** The length is not secret, because every valid signature has the same length. */
const isSame = (given: string, right: string) => {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Whether Twilio signed these fields for the URL. False for an invalid URL. */
export const isSigned = (authToken: Redacted.Redacted, signature: string, url: string, fields: Fields): boolean => {
  const text = glued(fields)
  const sign = (address: string) =>
    createHmac("sha1", Redacted.value(authToken)).update(`${address}${text}`).digest("base64")
  return [...signedAddresses(url)].some((address) => isSame(signature, sign(address)))
}

/** Whether a body has the hash in its URL. */
export const hasHash = (body: Uint8Array, hash: string): boolean =>
  isSame(hash, createHash("sha256").update(body).digest("hex"))
