import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import type { Keyring, MasterKey } from "../secret/Keyring.ts"
import * as SecretHash from "../secret/SecretHash.ts"
import type { Instant } from "../time/Instant.ts"
import type { IdempotencyStore } from "./IdempotencyStore.ts"

/**
 * The fingerprint of a request body, which distinguishes a repeat from another request. It is an HMAC, because a body
 * may contain a six-digit code. From a plain hash, anyone with a copy of the database could find the code in a million
 * tries. It covers the scope, so equal bodies under different keys have different fingerprints.
 */
const under = (key: MasterKey, { endpoint, environment, key: name }: IdempotencyStore.Scope, body: string): string =>
  `${key.id}.${bytesToHex(key.mac("request-fingerprint", `${environment}\n${endpoint}\n${name}\n${body}`))}`

/** Longer bodies are hashed in pieces of this many characters, so that other requests can run in between. */
const piece = 64 * 1024

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff

/** Returns a short text that is equal for equal bodies: the body itself, or the hashes of its pieces. */
export const brief = Effect.fnUntraced(function* (body: string): Effect.fn.Return<string> {
  if (body.length <= piece) return body
  const hashes: Array<string> = []
  for (let at = 0; at < body.length; ) {
    // Never split a surrogate pair: every lone half would encode to the same replacement character.
    const end = at + piece + (isHighSurrogate(body.charCodeAt(at + piece - 1)) ? 1 : 0)
    hashes.push(SecretHash.hash(body.slice(at, end)))
    at = end
    yield* Effect.yieldNow
  }
  return hashes.join("\n")
})

/** Computes the fingerprint with the current master secret. */
export const fingerprintOf = (keyring: Keyring["Service"], scope: IdempotencyStore.Scope, body: string): string =>
  under(keyring.current, scope, body)

/** The master secret of a fingerprint; undefined when it is no longer on the ring. */
const keyOf = (keyring: Keyring["Service"], fingerprint: string) =>
  keyring.find(fingerprint.slice(0, fingerprint.indexOf(".")))

/**
 * Returns a function that derives 32 bytes per purpose, the same in every try of a request. It uses the master secret
 * of the fingerprint; null when that secret is no longer on the ring. The derivation includes the time of the first
 * try. Otherwise a later use of the same key and body, after the first response was deleted, would recreate a secret
 * that was revoked.
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
 * Whether the fingerprint belongs to this body, under the current or an older master secret. Null when its secret is no
 * longer on the ring.
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
