import { Effect, Schema } from "effect"
import type { Keyring, MasterKey, Purpose } from "./Keyring.ts"
import { type NativeCrypto, nativeCrypto, type NativeKey } from "./nativeCrypto.ts"

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

const webKeyFor = perPurpose((master, purpose) =>
  crypto.subtle.importKey("raw", new Uint8Array(master.derive(purpose)), algorithm, false, ["encrypt", "decrypt"])
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

type Iv = Uint8Array<ArrayBuffer>
type Encrypt = (master: MasterKey, purpose: Purpose, iv: Iv, text: string, owner: string) => Effect.Effect<Uint8Array>
type Decrypt = (
  master: MasterKey,
  purpose: Purpose,
  iv: string,
  body: string,
  owner: string
) => Effect.Effect<string, SealBroken>

/** The ways to encrypt and decrypt. Each opens what the other sealed. */
interface Ways {
  readonly encrypt: Encrypt
  readonly decrypt: Decrypt
}

/** Works on every platform. It sends even a short value to another thread. */
const byWebCrypto: Ways = {
  encrypt: (master, purpose, iv, text, owner) =>
    Effect.promise(async () => {
      const key = await webKeyFor(master, purpose)
      const parameters = { name: algorithm, iv, additionalData: encoder.encode(owner) }
      return new Uint8Array(await crypto.subtle.encrypt(parameters, key, encoder.encode(text)))
    }),
  decrypt: (master, purpose, iv, body, owner) =>
    Effect.tryPromise({
      try: async () => {
        const key = await webKeyFor(master, purpose)
        const parameters = { name: algorithm, iv: fromBase64(iv), additionalData: encoder.encode(owner) }
        return decoder.decode(await crypto.subtle.decrypt(parameters, key, fromBase64(body)))
      },
      catch: () => new SealBroken({ purpose })
    })
}

/** Node's own cipher needs a tenth of the time. */
const byNode = ({
  createCipheriv,
  createDecipheriv,
  createSecretKey
}: Required<Pick<NativeCrypto, "createCipheriv" | "createDecipheriv" | "createSecretKey">>): Ways => {
  const keyFor = perPurpose((master, purpose): NativeKey => createSecretKey(master.derive(purpose)))
  // Without the length, Node accepts a tag that was cut to four bytes.
  const options = { authTagLength: tagLength }
  return {
    encrypt: (master, purpose, iv, text, owner) =>
      Effect.sync(() => {
        const cipher = createCipheriv("aes-256-gcm", keyFor(master, purpose), iv, options)
        cipher.setAAD(encoder.encode(owner))
        const encrypted = cipher.update(encoder.encode(text))
        // GCM has no padding, so the end adds no bytes. Only after it there is a tag.
        cipher.final()
        const body = new Uint8Array(encrypted.length + tagLength)
        body.set(encrypted)
        body.set(cipher.getAuthTag(), encrypted.length)
        return body
      }),
    decrypt: (master, purpose, iv, body, owner) =>
      Effect.try({
        try: () => {
          const sealed = fromBase64(body)
          const tagAt = sealed.length - tagLength
          const decipher = createDecipheriv("aes-256-gcm", keyFor(master, purpose), fromBase64(iv), options)
          decipher.setAuthTag(sealed.subarray(tagAt))
          decipher.setAAD(encoder.encode(owner))
          const opened = decipher.update(sealed.subarray(0, tagAt))
          // Throws if the value was altered.
          decipher.final()
          return decoder.decode(opened)
        },
        catch: () => new SealBroken({ purpose })
      })
  }
}

const waysOf = ({ createCipheriv, createDecipheriv, createSecretKey }: NativeCrypto): Ways =>
  createCipheriv === undefined || createDecipheriv === undefined || createSecretKey === undefined
    ? byWebCrypto
    : byNode({ createCipheriv, createDecipheriv, createSecretKey })

/** `seal` with Node's own cipher, or with WebCrypto if that is not given. */
export const sealWith = (native: NativeCrypto) => {
  const { encrypt } = waysOf(native)
  return (keyring: Keyring["Service"], purpose: Purpose, text: string, owner = ""): Effect.Effect<string> =>
    Effect.suspend(() => {
      const { current } = keyring
      const iv = crypto.getRandomValues(new Uint8Array(ivLength))
      return Effect.map(
        encrypt(current, purpose, iv, text, owner),
        (body) => `${current.id}.${toBase64(iv)}.${toBase64(body)}`
      )
    })
}

/**
 * Encrypts values that must be stored and read again: AES-256-GCM, prefixed with the key's id. `owner` names the record
 * that holds the value. The value opens only with the same `owner`, so a copy in another record is useless.
 */
export const seal = sealWith(nativeCrypto)

/**
 * Whether the value was sealed with the current key. Values of an older key must be sealed again before that key is
 * retired.
 */
export const isCurrent = (keyring: Keyring["Service"], sealed: string): boolean =>
  sealed.startsWith(`${keyring.current.id}.`)

/** `open` with Node's own cipher, or with WebCrypto if that is not given. */
export const openWith = (native: NativeCrypto) => {
  const { decrypt } = waysOf(native)
  return (
    keyring: Keyring["Service"],
    purpose: Purpose,
    sealed: string,
    owner = ""
  ): Effect.Effect<string, SealBroken> => {
    const [keyId = "", iv = "", body = ""] = sealed.split(".")
    const master = keyring.find(keyId)
    return master === undefined ? Effect.fail(new SealBroken({ purpose })) : decrypt(master, purpose, iv, body, owner)
  }
}

/** Opens a sealed value with the key on the ring that sealed it. */
export const open = openWith(nativeCrypto)
