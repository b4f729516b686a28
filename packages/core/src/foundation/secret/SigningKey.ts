import { Effect } from "effect"
import type { MasterKey, Purpose } from "./Keyring.ts"

export interface PublicJwk {
  readonly kty: "EC"
  readonly crv: "P-256"
  readonly x: string
  readonly y: string
  readonly kid: string
  readonly alg: "ES256"
  readonly use: "sig"
}

/** An ES256 key pair. The private key never leaves the process and is never stored. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly jwk: PublicJwk
  /** The public key as an uncompressed point, base64url. */
  readonly point: string
}

const algorithm = { name: "ECDSA", namedCurve: "P-256" }
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** PKCS #8 around a bare P-256 scalar. The public point is omitted, because the importer computes it. */
const pkcs8Head = Uint8Array.from(
  [
    0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86
  ].concat([0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20])
)

/** A scalar between 1 and the order of the curve; 40 bytes keep the reduction free of bias. */
const scalar = (key: MasterKey, purpose: Purpose): Uint8Array => {
  const wide = key.derive(purpose, 40).reduce((n, byte) => (n << 8n) | BigInt(byte), 0n)
  let rest = (wide % (order - 1n)) + 1n
  const bytes = new Uint8Array(32)
  for (let i = 31; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn)
  return bytes
}

/** 0x04, then both coordinates. */
const pointOf = (x: string, y: string): string => {
  const bytes = (text: string) => atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  return btoa(`\u0004${bytes(x)}${bytes(y)}`)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
}

/** The key pair of one purpose, derived from a master key: the same in every process with this secret. */
export const derive = (
  key: MasterKey,
  purpose: Extract<Purpose, "push" | "token-signing">
): Effect.Effect<SigningKey> =>
  Effect.promise(async () => {
    const der = new Uint8Array([...pkcs8Head, ...scalar(key, purpose)])
    const extractable = await crypto.subtle.importKey("pkcs8", der, algorithm, true, ["sign"])
    const { x, y, d } = await crypto.subtle.exportKey("jwk", extractable)
    const point = { kty: "EC", crv: "P-256", x: x!, y: y! } as const
    const [privateKey, publicKey] = await Promise.all([
      crypto.subtle.importKey("jwk", { ...point, d: d! }, algorithm, false, ["sign"]),
      crypto.subtle.importKey("jwk", point, algorithm, false, ["verify"])
    ])
    const jwk = { ...point, kid: key.id, alg: "ES256", use: "sig" } as const
    return { kid: key.id, privateKey, publicKey, jwk, point: pointOf(x!, y!) }
  })
