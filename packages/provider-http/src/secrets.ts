import { Redacted } from "effect"
import { createHash, timingSafeEqual } from "node:crypto"

/** Whether a secret can be sent in a header. */
export const isVisible = (secret: Redacted.Redacted): boolean => /^[\x21-\x7e]{1,4096}$/.test(Redacted.value(secret))

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Compares in constant time, regardless of content and length. */
export const isSame = (secret: Redacted.Redacted, given: string | undefined): boolean =>
  given !== undefined && timingSafeEqual(digest(Redacted.value(secret)), digest(given))
