import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"

const encoder = new TextEncoder()

/** SHA-256 of a text in hex: the stored form of secrets that are random and only ever compared. */
export const hash = (text: string): string => bytesToHex(sha256(encoder.encode(text)))

/** Compares two texts in constant time. */
export const equals = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % Math.max(1, b.length))
  return difference === 0
}
