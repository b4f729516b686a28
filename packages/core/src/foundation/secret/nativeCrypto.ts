interface NativeDecipher {
  readonly setAuthTag: (tag: Uint8Array) => void
  readonly setAAD: (data: Uint8Array) => unknown
  readonly update: (bytes: Uint8Array) => Uint8Array
  readonly final: () => Uint8Array
}

/** The parts of Node's `crypto` that are faster than JavaScript or WebCrypto and return at once. */
interface NativeCrypto {
  readonly hash?: (algorithm: "sha256", text: string, encoding: "hex") => string
  readonly createDecipheriv?: (
    algorithm: "aes-256-gcm",
    key: Uint8Array,
    iv: Uint8Array,
    options: { readonly authTagLength: number }
  ) => NativeDecipher
}

const { process } = globalThis as {
  readonly process?: { readonly getBuiltinModule?: (name: "node:crypto") => NativeCrypto | undefined }
}

/** Node's own cryptography. Empty on platforms without it, which compute the same bytes in another way. */
export const nativeCrypto: NativeCrypto = process?.getBuiltinModule?.("node:crypto") ?? {}
