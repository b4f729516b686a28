import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import type { Keyring, MasterKey } from "../secret/Keyring.ts"
import * as SecretHash from "../secret/SecretHash.ts"
import type { Instant } from "../time/Instant.ts"
import type { IdempotencyStore } from "./IdempotencyStore.ts"

/**
 * What is kept of a request's body, to tell a repeat from another request: an HMAC, never a plain hash. A body may hold
 * a code of six digits, and of a plain hash somebody with a copy of the database would find it in a million tries. The
 * scope goes in too, so that equal bodies under different keys look different.
 */
const under = (key: MasterKey, { endpoint, environment, key: name }: IdempotencyStore.Scope, body: string): string =>
  `${key.id}.${bytesToHex(key.mac("request-fingerprint", `${environment}\n${endpoint}\n${name}\n${body}`))}`

/** A longer text is hashed in pieces of so many characters: together they would hold up everybody else for as long. */
const piece = 64 * 1024

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff

/** A text that is equal for equal bodies, and short: the body itself, or of a long one the hashes of its pieces. */
export const brief = Effect.fnUntraced(function* (body: string): Effect.fn.Return<string> {
  if (body.length <= piece) return body
  const hashes: Array<string> = []
  for (let at = 0; at < body.length; ) {
    // What stands for one character is never cut in two: each half alone would be hashed as any other.
    const end = at + piece + (isHighSurrogate(body.charCodeAt(at + piece - 1)) ? 1 : 0)
    hashes.push(SecretHash.hash(body.slice(at, end)))
    at = end
    yield* Effect.yieldNow
  }
  return hashes.join("\n")
})

/** The fingerprint under the master secret in use. */
export const fingerprintOf = (keyring: Keyring["Service"], scope: IdempotencyStore.Scope, body: string): string =>
  under(keyring.current, scope, body)

/** The master secret that a fingerprint was made under, if it is on the ring. */
const keyOf = (keyring: Keyring["Service"], fingerprint: string) =>
  keyring.find(fingerprint.slice(0, fingerprint.indexOf(".")))

/**
 * 32 bytes that follow from a request for one purpose: the same in every try of it, under the master secret that its
 * fingerprint was made with. Null when that secret is no longer on the ring. The time of the first try goes in too: the
 * same key and body on another day, when the first answer is forgotten, must not bring back a secret that was revoked.
 */
export const effectOf = (
  keyring: Keyring["Service"],
  fingerprint: string,
  { endpoint, environment, key: name }: IdempotencyStore.Scope,
  firstAt: Instant
): ((purpose: string) => Uint8Array) | null => {
  const key = keyOf(keyring, fingerprint)
  const request = `${environment}\n${endpoint}\n${name}\n${firstAt}\n${fingerprint}`
  return key === undefined ? null : (purpose) => key.mac("request-effect", `${request}\n${purpose}`)
}

/**
 * Whether a fingerprint, made under this master secret or an older one on the ring, is that of this body. Null when the
 * secret it was made under is no longer on the ring, so that nobody can tell.
 */
export const isFingerprintOf = (
  keyring: Keyring["Service"],
  fingerprint: string,
  scope: IdempotencyStore.Scope,
  body: string
): boolean | null => {
  const key = keyOf(keyring, fingerprint)
  return key === undefined ? null : under(key, scope, body) === fingerprint
}
