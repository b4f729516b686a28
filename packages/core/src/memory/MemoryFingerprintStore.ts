import { Effect } from "effect"
import type { FingerprintStore } from "../foundation/secret/FingerprintStore.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"

/** The fingerprints of one memory storage. */
export const makeFingerprintStore = (): FingerprintStore["Service"] => {
  const known: Array<string> = []
  return {
    load: Effect.sync(() => [...known]),
    add: (fingerprint, loaded) =>
      Effect.suspend(() => {
        if (loaded.length !== known.length) return Effect.fail(new Conflict({ key: "fingerprint" }))
        known.push(fingerprint)
        return Effect.void
      })
  }
}
