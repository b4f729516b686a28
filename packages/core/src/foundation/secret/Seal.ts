import { Effect, Schema } from "effect"
import type { Keyring, MasterKey, Purpose } from "./Keyring.ts"
import { nativeCrypto } from "./nativeCrypto.ts"

/** The sealed value cannot be opened: its key is no longer on the ring, or the value was altered. */
export class SealBroken extends Schema.TaggedError<SealBroken>()("SealBroken", { purpose: Schema.String }) {}

const algorithm = "AES-GCM"
const ivLength = 12
const tagLength = 16
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Makes a value once for each purpose of each master key. */
const perPurpose = <A>(make: (master: MasterKey, purpose: Purpose) => A) => {
  const made = new WeakMap<MasterKey, Map<Purpose, A>>()
  return (master: MasterKey, purpose: Purpose): A => {
    const ofMaster = made.get(master) ?? new Map<Purpose, A>()
    made.set(master, ofMaster)
    const value = ofMaster.get(purpose) ?? make(master, purpose)
    ofMaster.set(purpose, value)
    return value
  }
}

const bytesFor = perPurpose((master, purpose) => new Uint8Array(master.derive(purpose)))
const keyFor = perPurpose((master, purpose) =>
  crypto.subtle.importKey("raw", bytesFor(master, purpose), algorithm, false, ["encrypt", "decrypt"])
)

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

/**
 * Encrypts values that must be stored and read again: AES-256-GCM, prefixed with the key's id. `owner` names the record
 * that holds the value. The value opens only with the same `owner`, so a copy in another record is useless.
 */
export const seal = (keyring: Keyring["Service"], purpose: Purpose, text: string, owner = ""): Effect.Effect<string> =>
  Effect.promise(async () => {
    const iv = crypto.getRandomValues(new Uint8Array(ivLength))
    const key = await keyFor(keyring.current, purpose)
    const parameters = { name: algorithm, iv, additionalData: encoder.encode(owner) }
    const sealed = await crypto.subtle.encrypt(parameters, key, encoder.encode(text))
    return `${keyring.current.id}.${toBase64(iv)}.${toBase64(new Uint8Array(sealed))}`
  })

/**
 * Whether the value was sealed with the current key. Values of an older key must be sealed again before that key is
 * retired.
 */
export const isCurrent = (keyring: Keyring["Service"], sealed: string): boolean =>
  sealed.startsWith(`${keyring.current.id}.`)

type Decrypt = (
  master: MasterKey,
  purpose: Purpose,
  iv: string,
  body: string,
  owner: string
) => Effect.Effect<string, SealBroken>

const decrypt: Decrypt = (master, purpose, iv, body, owner) =>
  Effect.tryPromise({
    try: async () => {
      const key = await keyFor(master, purpose)
      const parameters = { name: algorithm, iv: fromBase64(iv), additionalData: encoder.encode(owner) }
      return decoder.decode(await crypto.subtle.decrypt(parameters, key, fromBase64(body)))
    },
    catch: () => new SealBroken({ purpose })
  })

/** Node decrypts in a tenth of the time. WebCrypto sends even a short value to another thread. */
const decryptNatively =
  (createDecipheriv: NonNullable<typeof nativeCrypto.createDecipheriv>): Decrypt =>
  (master, purpose, iv, body, owner) =>
    Effect.try({
      try: () => {
        const sealed = fromBase64(body)
        const tagAt = sealed.length - tagLength
        // Without the length, Node accepts a tag that was cut to four bytes.
        const options = { authTagLength: tagLength }
        const decipher = createDecipheriv("aes-256-gcm", bytesFor(master, purpose), fromBase64(iv), options)
        decipher.setAuthTag(sealed.subarray(tagAt))
        decipher.setAAD(encoder.encode(owner))
        const opened = decipher.update(sealed.subarray(0, tagAt))
        // Throws if the value was altered.
        decipher.final()
        return decoder.decode(opened)
      },
      catch: () => new SealBroken({ purpose })
    })

/** `createDecipheriv` is Node's own; without it WebCrypto decrypts. Both open what either sealed. */
export const openWith =
  (createDecipheriv: (typeof nativeCrypto)["createDecipheriv"]) =>
  (keyring: Keyring["Service"], purpose: Purpose, sealed: string, owner = ""): Effect.Effect<string, SealBroken> => {
    const [keyId = "", iv = "", body = ""] = sealed.split(".")
    const master = keyring.find(keyId)
    if (master === undefined) return Effect.fail(new SealBroken({ purpose }))
    const decrypted = createDecipheriv === undefined ? decrypt : decryptNatively(createDecipheriv)
    return decrypted(master, purpose, iv, body, owner)
  }

/** Opens a sealed value with the key on the ring that sealed it. */
export const open = openWith(nativeCrypto.createDecipheriv)
