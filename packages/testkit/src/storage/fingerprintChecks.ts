import { Identifier } from "@countersign/core"
import { FingerprintStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { promise, type StorageCheck } from "./StorageCheck.ts"

/** Fingerprints belong to the whole storage, so other checks may have added some before. */
export const fingerprintChecks: ReadonlyArray<StorageCheck> = [
  promise(
    "when 20 processes add a fingerprint to the same loaded state, one succeeds and the others get Conflict",
    Effect.gen(function* () {
      const store = yield* FingerprintStore
      const loaded = yield* store.load
      const mine = Array.from({ length: 20 }, () => Identifier.randomText(32))
      const results = yield* Effect.forEach(mine, (one) => Effect.result(store.add(one, loaded)), {
        concurrency: "unbounded"
      })
      const added = mine.filter((_, i) => Result.isSuccess(results[i]!))
      assert.strictEqual(added.length, 1)
      for (const result of results) if (Result.isFailure(result)) assert.strictEqual(result.failure._tag, "Conflict")
      assert.deepStrictEqual(yield* store.load, [...loaded, ...added])
    })
  ),
  promise(
    "fingerprints are returned in the order in which they were added",
    Effect.gen(function* () {
      const store = yield* FingerprintStore
      const before = yield* store.load
      const [first, second] = [Identifier.randomText(32), Identifier.randomText(32)]
      yield* store.add(first, before)
      yield* store.add(second, [...before, first])
      assert.deepStrictEqual((yield* store.load).slice(before.length), [first, second])
      assert.strictEqual((yield* Effect.flip(store.add("x", before)))._tag, "Conflict")
    })
  )
]
