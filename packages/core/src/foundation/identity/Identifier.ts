import type { Instant } from "../time/Instant.ts"

/** What an identifier names; the part before the underscore. */
export type Prefix =
  | "ver"
  | "evt"
  | "whk"
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
  // Joined letter by letter, a text would be a chain of as many objects.
  const codes = new Array<number>(count)
  for (let i = 0; i < count; i++) codes[i] = letters[pool[used++]! & 31]!
  pool.fill(0, used - count, used)
  return String.fromCharCode(...codes)
}

/** Bytes as characters of our identifiers: 5 bits of each. */
export const textOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => alphabet[byte & 31]!).join("")

/**
 * The time part of an identifier: identifiers made later sort later. Before 1970 nothing was made: who asks for thirty
 * days ago, on a machine whose clock begins there, gets the first of all, and not a text that sorts after everything.
 */
export const timeText = (now: Instant): string => {
  const codes = new Array<number>(timeLength)
  for (let rest = Math.max(0, now), i = timeLength - 1; i >= 0; i--) {
    codes[i] = letters[rest % 32]!
    rest = Math.floor(rest / 32)
  }
  return String.fromCharCode(...codes)
}

/** The moment that an identifier carries. */
export const timeOf = (identifier: string): Instant => {
  const start = identifier.indexOf("_") + 1
  let time = 0
  for (let i = start; i < start + timeLength; i++) time = time * 32 + alphabet.indexOf(identifier[i] ?? "0")
  return time
}

/**
 * A fresh identifier: prefix, 50 bits of time, 80 random bits. It sorts by time of creation and cannot be guessed.
 *
 * @example
 * ```ts
 * import { Identifier } from "@countersign/core"
 *
 * Identifier.make("ver", Date.now()) // "ver_01kah…"
 * ```
 */
export const make = (prefix: Prefix, now: Instant): string => `${prefix}_${timeText(now)}${randomText(randomLength)}`

/** What every identifier of that prefix made before `instant` sorts before, and every later one after. */
export const first = (prefix: Prefix, instant: Instant): string => `${prefix}_${timeText(instant)}`

/** Whether a text has the shape of an identifier of that prefix. */
export const is = (prefix: Prefix, text: string): boolean =>
  text.length === prefix.length + 1 + timeLength + randomLength &&
  text.startsWith(`${prefix}_`) &&
  /^[0-9a-hjkmnp-tv-z]+$/.test(text.slice(prefix.length + 1))
