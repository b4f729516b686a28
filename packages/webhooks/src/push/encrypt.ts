import type { webcrypto } from "node:crypto"
import { encode, hkdf, joined } from "./aes128gcm.ts"

type Bytes = Uint8Array<ArrayBuffer>

/** A browser's keys, from its push subscription. */
export interface BrowserKeys {
  /** An uncompressed P-256 point. */
  readonly p256dh: Bytes
  /** 16 bytes that only the browser and this service know. */
  readonly auth: Bytes
}

/** What must be new for each message. */
export interface Ephemeral {
  readonly keys: Pick<webcrypto.CryptoKeyPair, "privateKey" | "publicKey">
  readonly salt: Bytes
}

const curve = { name: "ECDH", namedCurve: "P-256" }
const recordSize = 4096
/** All messages have this length, so that a push service cannot tell them apart. */
const paddedTo = 128

const encoder = new TextEncoder()

export const newEphemeral = async (): Promise<Ephemeral> => ({
  keys: await crypto.subtle.generateKey(curve, false, ["deriveBits"]),
  salt: crypto.getRandomValues(new Uint8Array(16))
})

/**
 * Encrypts a message for one browser (RFC 8291). Rejects when `p256dh` is not a point of the curve: its sender could
 * otherwise learn something about the secret.
 */
export const encrypt = async (
  text: string,
  { auth, p256dh }: BrowserKeys,
  { keys, salt }: Ephemeral,
  padding = Math.max(0, paddedTo - encoder.encode(text).length)
): Promise<Bytes> => {
  const theirs = await crypto.subtle.importKey("raw", p256dh, curve, false, [])
  const ours = new Uint8Array(await crypto.subtle.exportKey("raw", keys.publicKey))
  const shared = new Uint8Array(await crypto.subtle.deriveBits({ name: "ECDH", public: theirs }, keys.privateKey, 256))
  const info = joined(encoder.encode("WebPush: info\0"), p256dh, ours)
  const secret = await hkdf(shared, auth, info, 32)
  return encode({ secret, salt, keyId: ours, recordSize }, [{ data: encoder.encode(text), padding }])
}
