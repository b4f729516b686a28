import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

/** The page's request, and the behavior of person and browser. */
export interface Asked {
  /** From the options that the service sent, base64url. */
  readonly challenge: string
  /** The page's origin. The browser reports it, not the page. */
  readonly origin: string
  readonly rpId: string
}

interface Held {
  readonly id: Buffer
  readonly key: KeyObject
  counter: number
}

type Cbor = number | string | Buffer | ReadonlyMap<Cbor, Cbor>

const head = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255])

/** The part of CBOR that an authenticator without attestation needs. */
const cbor = (value: Cbor): Buffer => {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as ReadonlyMap<Cbor, Cbor>)]
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([name, one]) => [cbor(name), cbor(one)])])
}

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest()

const userPresent = 0x01
const userVerified = 0x04
const keyIncluded = 0x40

const counterOf = (count: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(count)
  return bytes
}

const clientData = (type: "webauthn.create" | "webauthn.get", { challenge, origin }: Asked) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

/** An ES256 public key as COSE. */
const cose = (key: KeyObject): Buffer => {
  const { x = "", y = "" } = key.export({ format: "jwk" })
  return cbor(
    new Map<Cbor, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")]
    ])
  )
}

/**
 * An authenticator and its browser in software, for tests of passkeys. It makes and uses passkeys like a person who
 * agrees to every prompt.
 *
 * @example
 * ```ts
 * import { SoftAuthenticator } from "@countersign/testkit/simulators"
 *
 * const authenticator = new SoftAuthenticator()
 * const asked = { challenge: "c29tZSBieXRlcw", origin: "https://example.com", rpId: "example.com" }
 * const created = authenticator.create(asked)
 * const used = authenticator.use(asked)
 * ```
 */
export class SoftAuthenticator {
  /** Whether it verifies the person by finger, face or PIN. */
  verifiesUser = true
  readonly #held: Array<Held> = []

  #data({ rpId }: Asked, counter: number, more: Buffer = Buffer.alloc(0)) {
    const flags = userPresent | (this.verifiesUser ? userVerified : 0) | (more.length > 0 ? keyIncluded : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counterOf(counter), more])
  }

  /** Creates a passkey. Returns the page's response. */
  create(asked: Asked) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const held: Held = { id: randomBytes(32), key: privateKey, counter: 1 }
    this.#held.push(held)
    const length = Buffer.from([held.id.length >> 8, held.id.length & 255])
    const authData = this.#data(asked, 0, Buffer.concat([Buffer.alloc(16), length, held.id, cose(publicKey)]))
    const attestation = cbor(
      new Map<Cbor, Cbor>([
        ["fmt", "none"],
        ["attStmt", new Map<Cbor, Cbor>()],
        ["authData", authData]
      ])
    )
    const id = held.id.toString("base64url")
    return {
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData("webauthn.create", asked).toString("base64url"),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"]
      }
    }
  }

  /** Uses the newest passkey, or the passkey with this id. Returns the page's response. */
  use(asked: Asked, wanted?: string) {
    const held = this.#held.findLast(({ id }) => wanted === undefined || id.toString("base64url") === wanted)
    if (held === undefined) throw new Error("this authenticator has no such passkey")
    const data = clientData("webauthn.get", asked)
    const authenticatorData = this.#data(asked, held.counter++)
    const id = held.id.toString("base64url")
    return {
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: data.toString("base64url"),
        authenticatorData: authenticatorData.toString("base64url"),
        signature: sign("sha256", Buffer.concat([authenticatorData, sha256(data)]), held.key).toString("base64url")
      }
    }
  }
}
