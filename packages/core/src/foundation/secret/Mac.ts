import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { type NativeCrypto, nativeCrypto } from "./nativeCrypto.ts"

const encoder = new TextEncoder()

/** HMAC-SHA256 under one key, of texts in UTF-8 and bytes one after another. */
export type Mac = (...parts: ReadonlyArray<string | Uint8Array>) => Uint8Array

/** Without Node's own cryptography, JavaScript computes the same bytes. */
export const macWith =
  ({ createHmac, createSecretKey }: NativeCrypto) =>
  (bytes: Uint8Array): Mac => {
    if (createHmac === undefined || createSecretKey === undefined) {
      const base = hmac.create(sha256, bytes)
      return (...parts) => {
        const mac = base.clone()
        for (const part of parts) mac.update(typeof part === "string" ? encoder.encode(part) : part)
        return mac.digest()
      }
    }
    const key = createSecretKey(bytes)
    return (...parts) => {
      const mac = createHmac("sha256", key)
      for (const part of parts) mac.update(part)
      return new Uint8Array(mac.digest())
    }
  }

/** Prepares a key. This takes longer than a MAC, so keep the result for as long as the key is used. */
export const macUnder: (bytes: Uint8Array) => Mac = macWith(nativeCrypto)
