import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { nativeCrypto } from "./nativeCrypto.ts"

const encoder = new TextEncoder()

const { hash: nativeHash } = nativeCrypto

/**
 * SHA-256 of a text in hex: the stored form of secrets that are random and only ever compared. Every request with a key
 * needs one, so Node's own is used where it exists.
 */
export const hash: (text: string) => string =
  nativeHash === undefined
    ? (text) => bytesToHex(sha256(encoder.encode(text)))
    : (text) => nativeHash("sha256", text, "hex")

/** Compares two texts in constant time. */
export const equals = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % Math.max(1, b.length))
  return difference === 0
}
