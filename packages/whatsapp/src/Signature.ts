import { Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

const prefix = "sha256="

/** Whether Meta signed exactly these bytes. A re-serialized body differs, because Meta escapes letters its own way. */
export const isSigned = (appSecret: Redacted.Redacted, body: Uint8Array, header: string | undefined): boolean => {
  if (header === undefined || !header.startsWith(prefix)) return false
  const given = header.slice(prefix.length)
  if (!/^[0-9a-f]{64}$/.test(given)) return false
  const expected = createHmac("sha256", Redacted.value(appSecret)).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(given, "hex"))
}
