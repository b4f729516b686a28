import { bytesToHex } from "@noble/hashes/utils.js"
import type { Keyring, MasterKey } from "./Keyring.ts"
import * as SecretHash from "./SecretHash.ts"

const prefix = "per_"
const tagLength = 16
/** Identities are padded to a multiple of this, so that a reference does not show the length of an address. */
const blockLength = 32
/** Longer than the reference of the longest address. */
const longest = 600

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const tagOf = (key: MasterKey, environment: string, canonical: string): Uint8Array =>
  key.mac("person", `${environment}\n${canonical}`).slice(0, tagLength)

/** Encrypts and decrypts. The tag differs for each identity, so no key stream is used for two of them. */
const masked = (key: MasterKey, tag: Uint8Array, text: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(text.length)
  const nonce = bytesToHex(tag)
  for (let from = 0; from < text.length; from += blockLength) {
    const stream = key.mac("person-text", `${nonce}\n${from}`)
    for (let i = from; i < from + blockLength; i++) bytes[i] = text[i]! ^ stream[i - from]!
  }
  return bytes
}

/**
 * The reference of a person in one environment: their canonical identity, encrypted. It shows nothing about the identity,
 * is always the same for the same person, and opens in its own environment only. So it may appear in addresses, browser
 * histories and logs.
 *
 * The tag authenticates the identity and is the nonce of its encryption (the SIV construction, with HMAC-SHA256 for both).
 */
export const of = (key: MasterKey, environment: string, canonical: string): string => {
  const text = encoder.encode(canonical)
  const padded = new Uint8Array(Math.ceil(text.length / blockLength) * blockLength)
  padded.set(text)
  const tag = tagOf(key, environment, canonical)
  const bytes = [...tag, ...masked(key, tag, padded)]
  return (
    prefix +
    btoa(String.fromCharCode(...bytes))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "")
  )
}

/** The references of a person under every key of the ring: stored references may be older than the current key. */
export const all = (keyring: Keyring["Service"], environment: string, canonical: string): ReadonlyArray<string> =>
  keyring.all.map((key) => of(key, environment, canonical))

/** The canonical identity; null for a text that is no reference, or the reference of another environment. */
export const open = (keyring: Keyring["Service"], environment: string, reference: string): string | null => {
  const body = reference.slice(prefix.length)
  if (!reference.startsWith(prefix) || reference.length > longest || !/^[A-Za-z0-9_-]+$/.test(body)) return null
  if (body.length % 4 === 1) return null
  const bytes = Uint8Array.from(atob(body.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0))
  const length = bytes.length - tagLength
  if (length <= 0 || length % blockLength !== 0) return null
  const tag = bytes.slice(0, tagLength)
  for (const key of keyring.all) {
    const padded = masked(key, tag, bytes.slice(tagLength))
    const end = padded.indexOf(0)
    const canonical = decoder.decode(end === -1 ? padded : padded.slice(0, end))
    // Compares whole references, so that a second spelling of the same bytes is refused too.
    if (SecretHash.equals(of(key, environment, canonical), reference)) return canonical
  }
  return null
}
