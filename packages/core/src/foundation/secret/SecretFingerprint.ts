import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect, Layer, Schema } from "effect"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { FingerprintStore } from "./FingerprintStore.ts"
import { type InvalidSecret, Keyring, type MasterKey } from "./Keyring.ts"

/** This storage was written with another master secret. With this one, its codes, tokens and devices are worthless. */
export class UnknownSecret extends Schema.TaggedError<UnknownSecret>()("UnknownSecret", {}) {
  override get message(): string {
    return "this storage was written with another secret: give that one. If you are changing it, give the old one among previousSecrets"
  }
}

/** Tells master secrets apart, and is of no use to find one: it is made by a key of its own. */
export const of = (key: MasterKey): string => bytesToHex(key.mac("fingerprint", "countersign").subarray(0, 16))

/**
 * Whether a storage that knows these secrets may be used with that ring.
 *
 * - One that knows none is new: it takes the current one.
 * - One that knows the current one goes on. So does a process that has not been told of a rotation yet.
 * - One that knows an older one of the ring sees a rotation, and takes the current one, too.
 * - Any other storage belongs to another secret.
 */
export const judge = (
  known: ReadonlyArray<string>,
  ring: { readonly current: string; readonly previous: ReadonlyArray<string> }
): "known" | "add" | "unknown" => {
  if (known.includes(ring.current)) return "known"
  return known.length === 0 || ring.previous.some((one) => known.includes(one)) ? "add" : "unknown"
}

const ringOf = ({ all, current }: Keyring["Service"]) => ({
  current: of(current),
  previous: all.filter((key) => key !== current).map(of)
})

/** Whether a storage that knows these secrets may be used with the ring. It reads and changes nothing. */
export const fits = (known: ReadonlyArray<string>): Effect.Effect<boolean, never, Keyring> =>
  Effect.map(Keyring, (keyring) => judge(known, ringOf(keyring)) !== "unknown")

const check = Effect.gen(function* () {
  const ring = ringOf(yield* Keyring)
  const store = yield* FingerprintStore
  yield* untilCommitted(
    Effect.gen(function* () {
      const known = yield* store.load
      const judged = judge(known, ring)
      if (judged === "unknown") return yield* new UnknownSecret()
      if (judged === "add") yield* store.add(ring.current, known)
    })
  )
})

/** A keyring that this storage knows, or may get to know. Nothing is read or written with another. */
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
