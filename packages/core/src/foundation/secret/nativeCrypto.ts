/** A key that Node has prepared. From plain bytes, Node prepares it for each use, which takes longer than the use. */
export interface NativeKey {
  readonly type: "secret"
}

interface NativeCipher {
  readonly setAAD: (data: Uint8Array) => unknown
  readonly update: (bytes: Uint8Array) => Uint8Array
  readonly final: () => Uint8Array
  readonly getAuthTag: () => Uint8Array
}

interface NativeDecipher {
  readonly setAuthTag: (tag: Uint8Array) => void
  readonly setAAD: (data: Uint8Array) => unknown
  readonly update: (bytes: Uint8Array) => Uint8Array
  readonly final: () => Uint8Array
}

interface NativeHmac {
  readonly update: (part: string | Uint8Array) => NativeHmac
  readonly digest: () => Uint8Array
}

type Cipher = "aes-256-gcm"
interface CipherOptions {
  readonly authTagLength: number
}

/** The parts of Node's `crypto` that are faster than JavaScript or WebCrypto and return at once. */
export interface NativeCrypto {
  readonly hash?: (algorithm: "sha256", text: string, encoding: "hex") => string
  readonly createSecretKey?: (bytes: Uint8Array) => NativeKey
  readonly createHmac?: (algorithm: "sha256", key: NativeKey) => NativeHmac
  readonly createCipheriv?: (cipher: Cipher, key: NativeKey, iv: Uint8Array, options: CipherOptions) => NativeCipher
  readonly createDecipheriv?: (cipher: Cipher, key: NativeKey, iv: Uint8Array, options: CipherOptions) => NativeDecipher
}

const { process } = globalThis as {
  readonly process?: { readonly getBuiltinModule?: (name: "node:crypto") => NativeCrypto | undefined }
}

/** Node's own cryptography. Empty on platforms without it, which compute the same bytes in another way. */
export const nativeCrypto: NativeCrypto = process?.getBuiltinModule?.("node:crypto") ?? {}
