import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"

const prefix = "whsec_"
const encoder = new TextEncoder()

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))

/** A secret of 256 bits, in the form that receivers' libraries expect. */
export const makeSecret = (bytes: Uint8Array = crypto.getRandomValues(new Uint8Array(32))): string =>
  `${prefix}${toBase64(bytes)}`

const standard = (secret: string, text: string) =>
  `v1,${toBase64(hmac(sha256, fromBase64(secret.slice(prefix.length)), encoder.encode(text)))}`

const legacy = (secret: string, body: string) => bytesToHex(hmac(sha256, encoder.encode(secret), encoder.encode(body)))

/**
 * The headers by which a receiver verifies a body: `X-Service-Signature` over the body, and those of Standard Webhooks,
 * which also sign the time. The newest secret comes first. A replaced secret signs beside it where the form has room
 * for two.
 */
export const sign = (
  secrets: readonly [current: string, ...previous: ReadonlyArray<string>],
  id: string,
  now: Instant,
  body: string
): { readonly [header: string]: string } => {
  const timestamp = String(Math.floor(now / seconds(1)))
  return {
    "x-service-signature": legacy(secrets[0], body),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => standard(secret, `${id}.${timestamp}.${body}`)).join(" ")
  }
}
