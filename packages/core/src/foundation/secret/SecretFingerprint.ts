import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect, Layer, Schema } from "effect"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { FingerprintStore } from "./FingerprintStore.ts"
import { type InvalidSecret, Keyring, type MasterKey } from "./Keyring.ts"

/**
 * This storage was written with another master secret. With the configured one, its codes, tokens and devices are
 * unusable.
 */
export class UnknownSecret extends Schema.TaggedError<UnknownSecret>()("UnknownSecret", {}) {
  override get message(): string {
    return "the database was written with another secret: configure that secret. If you are rotating it, add the old secret to previousSecrets"
  }
}

/** The fingerprint of a master secret. A separate derived key makes it, so it does not help to find the secret. */
export const of = (key: MasterKey): string => bytesToHex(key.mac("fingerprint", "countersign").subarray(0, 16))

/**
 * Decides whether a storage with these fingerprints may be used with the ring.
 *
 * - It has none: the storage is new and adds the current one.
 * - It has the current one: nothing to do, also in a process that is not configured for a rotation yet.
 * - It has a previous one: the secret was rotated, so the storage adds the current one.
 * - Otherwise it belongs to another secret.
 */
export const judge = (
  storedFingerprints: ReadonlyArray<string>,
  ring: { readonly current: string; readonly previous: ReadonlyArray<string> }
): "known" | "add" | "unknown" => {
  if (storedFingerprints.includes(ring.current)) return "known"
  return storedFingerprints.length === 0 || ring.previous.some((one) => storedFingerprints.includes(one))
    ? "add"
    : "unknown"
}

const ringOf = ({ all, current }: Keyring["Service"]) => ({
  current: of(current),
  previous: all.filter((key) => key !== current).map(of)
})

/** Whether a storage with these fingerprints may be used with the ring. Changes nothing. */
export const fits = (storedFingerprints: ReadonlyArray<string>): Effect.Effect<boolean, never, Keyring> =>
  Effect.map(Keyring, (keyring) => judge(storedFingerprints, ringOf(keyring)) !== "unknown")

const check = Effect.gen(function* () {
  const ring = ringOf(yield* Keyring)
  const store = yield* FingerprintStore
  yield* untilCommitted(
    Effect.gen(function* () {
      const storedFingerprints = yield* store.load
      const verdict = judge(storedFingerprints, ring)
      if (verdict === "unknown") return yield* new UnknownSecret()
      if (verdict === "add") yield* store.add(ring.current, storedFingerprints)
    })
  )
})

/** Provides the keyring after checking that this storage belongs to it. Nothing reads or writes with another secret. */
export const layer = (
  keyring: Layer.Layer<Keyring, InvalidSecret>
): Layer.Layer<Keyring, InvalidSecret | UnknownSecret | StoreError | Contended, FingerprintStore> =>
  Layer.effect(
    Keyring,
    Effect.gen(function* () {
      yield* check
      return yield* Keyring
    })
  ).pipe(Layer.provide(keyring))
