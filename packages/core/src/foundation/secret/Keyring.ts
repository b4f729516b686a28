import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { Context, Effect, Layer, type Redacted, Schema } from "effect"
import { type Mac, macUnder } from "./Mac.ts"
import { reveal } from "./requireSingleEffect.ts"

/** The purposes of derived keys. A key for one purpose is useless for another. */
export type Purpose =
  | "code"
  | "device"
  | "token-signing"
  | "kept-answer"
  | "request-fingerprint"
  | "request-effect"
  | "webhook-secret"
  | "hook-secret"
  | "number-token"
  | "number-start"
  | "inbound"
  | "cursor"
  | "fingerprint"
  | "demo-keys"
  | "link"
  | "match-number"
  | "authorisation"
  | "launch"
  | "visitor"
  | "erased-person"
  | "erased-limits"
  | "erasure"
  | "sign-in"
  | "challenge"
  | "guard-challenge"
  | "errand"
  | "opt-out"
  | "opt-out-place"
  | "person"
  | "person-text"
  | "reference"
  | "relayed-code"
  | "relayed-request"
  | "push"
  | "push-topic"

/** The master secret is unusable. `problem` gives the reason without any part of the secret. */
export class InvalidSecret extends Schema.TaggedError<InvalidSecret>()("InvalidSecret", { problem: Schema.String }) {}

const encoder = new TextEncoder()

/** One master secret. All keys are derived from it; it is never used itself. */
export class MasterKey {
  /** Identifies the key and reveals nothing about it. Stored next to everything the key made. */
  readonly id: string
  readonly #secret: Uint8Array
  readonly #macs = new Map<Purpose, Mac>()

  constructor(secret: Uint8Array) {
    this.#secret = secret
    this.id = bytesToHex(hkdf(sha256, secret, undefined, encoder.encode("countersign key id"), 6))
  }

  /** Derives a key of `length` bytes for one purpose. */
  derive(purpose: Purpose, length = 32): Uint8Array {
    return hkdf(sha256, this.#secret, undefined, encoder.encode(`countersign ${purpose}`), length)
  }

  /** HMAC-SHA256 of a text under the key for one purpose. */
  mac(purpose: Purpose, text: string): Uint8Array {
    let mac = this.#macs.get(purpose)
    if (mac === undefined) this.#macs.set(purpose, (mac = macUnder(this.derive(purpose))))
    return mac(text)
  }
}

const decode = (text: string): Uint8Array | undefined => {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16))
  if (!/^[A-Za-z0-9_-]{43}=?$/.test(text)) return undefined
  return Uint8Array.from(atob(text.replace(/=$/, "").replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0))
}

const parse = (secret: Redacted.Redacted, name: string) =>
  Effect.suspend(() => {
    const bytes = decode(reveal(secret).trim())
    return bytes === undefined
      ? Effect.fail(new InvalidSecret({ problem: `${name} must be 32 bytes in base64url (43 characters) or hex (64)` }))
      : Effect.succeed(new MasterKey(bytes))
  })

/** The current master secret, and the previous ones that still open what they sealed. */
export class Keyring extends Context.Service<
  Keyring,
  {
    readonly current: MasterKey
    /** The key with that id, or undefined when it is no longer on the ring. */
    readonly find: (id: string) => MasterKey | undefined
    readonly all: ReadonlyArray<MasterKey>
  }
>()("@countersign/core/secret/Keyring") {
  /**
   * Creates a keyring from secrets of 32 bytes, in base64url or hex.
   *
   * @example
   * ```ts
   * import { Keyring } from "@countersign/core"
   * import { Redacted } from "effect"
   *
   * const layer = Keyring.layer({ secret: Redacted.make("00".repeat(32)) })
   * ```
   */
  static readonly layer = (options: {
    readonly secret: Redacted.Redacted
    readonly previous?: ReadonlyArray<Redacted.Redacted> | undefined
  }): Layer.Layer<Keyring, InvalidSecret> =>
    Layer.effect(
      Keyring,
      Effect.gen(function* () {
        const current = yield* parse(options.secret, "the secret")
        const previous = yield* Effect.forEach(options.previous ?? [], (secret, i) =>
          parse(secret, `previous secret ${i + 1}`)
        )
        const all = [current, ...previous]
        const byId = new Map(all.map((key) => [key.id, key]))
        return Keyring.of({ current, all, find: (id) => byId.get(id) })
      })
    )
}
