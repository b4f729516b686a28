import { Effect, Schema } from "effect"
import type { Keyring, MasterKey, Purpose } from "./Keyring.ts"

/** The sealed value cannot be opened: its key is no longer on the ring, or the value was altered. */
export class SealBroken extends Schema.TaggedError<SealBroken>()("SealBroken", { purpose: Schema.String }) {}

const algorithm = "AES-GCM"
const ivLength = 12
const encoder = new TextEncoder()
const decoder = new TextDecoder()

const keys = new WeakMap<MasterKey, Map<Purpose, Promise<CryptoKey>>>()

const keyFor = (master: MasterKey, purpose: Purpose): Promise<CryptoKey> => {
  const ofMaster = keys.get(master) ?? new Map<Purpose, Promise<CryptoKey>>()
  keys.set(master, ofMaster)
  let key = ofMaster.get(purpose)
  if (key === undefined) {
    key = crypto.subtle.importKey("raw", new Uint8Array(master.derive(purpose)), algorithm, false, [
      "encrypt",
      "decrypt"
    ])
    ofMaster.set(purpose, key)
  }
  return key
}

const toBase64 = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

const fromBase64 = (base64: string) => {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

/** Encrypts values that must be stored and read again: AES-256-GCM, prefixed with the key's id. */
export const seal = (keyring: Keyring["Service"], purpose: Purpose, text: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const iv = crypto.getRandomValues(new Uint8Array(ivLength))
    const key = await keyFor(keyring.current, purpose)
    const sealed = await crypto.subtle.encrypt({ name: algorithm, iv }, key, encoder.encode(text))
    return `${keyring.current.id}.${toBase64(iv)}.${toBase64(new Uint8Array(sealed))}`
  })

/**
 * Whether the value was sealed with the current key. Values of an older key must be sealed again before that key is
 * retired.
 */
export const isCurrent = (keyring: Keyring["Service"], sealed: string): boolean =>
  sealed.startsWith(`${keyring.current.id}.`)

/** Opens a sealed value with the key on the ring that sealed it. */
export const open = (
  keyring: Keyring["Service"],
  purpose: Purpose,
  sealed: string
): Effect.Effect<string, SealBroken> => {
  const [keyId = "", iv = "", body = ""] = sealed.split(".")
  const master = keyring.find(keyId)
  if (master === undefined) return Effect.fail(new SealBroken({ purpose }))
  return Effect.tryPromise({
    try: async () => {
      const key = await keyFor(master, purpose)
      return decoder.decode(await crypto.subtle.decrypt({ name: algorithm, iv: fromBase64(iv) }, key, fromBase64(body)))
    },
    catch: () => new SealBroken({ purpose })
  })
}
