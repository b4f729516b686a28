import type { Instant } from "../time/Instant.ts"

/** The type of the identified object: the part before the underscore. */
export type Prefix =
  | "ver"
  | "evt"
  | "whk"
  | "hok"
  | "hrq"
  | "dlv"
  | "dvc"
  | "tpl"
  | "cmp"
  | "lch"
  | "cnv"
  | "mer"
  | "tok"
  | "msg"
  | "srp"
  | "lbl"
  | "aud"
  | "ses"
  | "ers"
  | "rfs"
  | "top"
  | "cor"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const timeLength = 10
const randomLength = 16

const letters = Uint8Array.from(alphabet, (letter) => letter.charCodeAt(0))

const pool = new Uint8Array(4096)
let used = pool.length

/** `count` characters of 5 random bits each, from the platform's cryptographic generator. */
export const randomText = (count: number): string => {
  if (count > pool.length) throw new RangeError(`randomText: at most ${pool.length} characters`)
  if (used + count > pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  // Joining letter by letter would build a rope of as many string objects.
  const codes = new Array<number>(count)
  for (let i = 0; i < count; i++) codes[i] = letters[pool[used++]! & 31]!
  pool.fill(0, used - count, used)
  return String.fromCharCode(...codes)
}

/** Encodes bytes in the alphabet of identifiers: 5 bits per character. */
export const textOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => alphabet[byte & 31]!).join("")

/**
 * The time part of an identifier, which sorts by time. A time before 1970 becomes 1970: on a machine whose clock starts
 * in 1970, "30 days ago" must sort before every identifier, not after.
 */
export const timeText = (now: Instant): string => {
  const codes = new Array<number>(timeLength)
  for (let rest = Math.max(0, now), i = timeLength - 1; i >= 0; i--) {
    codes[i] = letters[rest % 32]!
    rest = Math.floor(rest / 32)
  }
  return String.fromCharCode(...codes)
}

/** The time inside an identifier. */
export const timeOf = (identifier: string): Instant => {
  const start = identifier.indexOf("_") + 1
  let time = 0
  for (let i = start; i < start + timeLength; i++) time = time * 32 + alphabet.indexOf(identifier[i] ?? "0")
  return time
}

/**
 * Creates an identifier: prefix, 50 bits of time, 80 random bits. It sorts by creation time and cannot be guessed.
 *
 * @example
 * ```ts
 * import { Identifier } from "@countersign/core"
 *
 * Identifier.make("ver", Date.now()) // "ver_01kah…"
 * ```
 */
export const make = (prefix: Prefix, now: Instant): string => `${prefix}_${timeText(now)}${randomText(randomLength)}`

/** The lower bound of identifiers created at `instant` or later; earlier ones sort before it. */
export const first = (prefix: Prefix, instant: Instant): string => `${prefix}_${timeText(instant)}`

/** Whether a text has the format of an identifier with that prefix. */
export const is = (prefix: Prefix, text: string): boolean =>
  text.length === prefix.length + 1 + timeLength + randomLength &&
  text.startsWith(`${prefix}_`) &&
  /^[0-9a-hjkmnp-tv-z]+$/.test(text.slice(prefix.length + 1))
