import { Identifier } from "@countersign/core"
import { DeploymentStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { promise, type StorageCheck } from "./StorageCheck.ts"

/** Facts belong to the whole storage, so other checks may have recorded some before. */
export const deploymentChecks: ReadonlyArray<StorageCheck> = [
  promise(
    "when 20 processes record a deployment fact concurrently, one records it and all get its value",
    Effect.gen(function* () {
      const store = yield* DeploymentStore
      const before = yield* store.get("currency")
      const mine = Array.from({ length: 20 }, () => Identifier.randomText(8))
      const answers = yield* Effect.forEach(mine, (value) => store.claim("currency", value), {
        concurrency: "unbounded"
      })
      const recorded = yield* store.get("currency")
      assert.deepStrictEqual([...new Set(answers)], [recorded])
      assert.include(before === null ? mine : [before], recorded)
    })
  ),
  promise(
    "when 20 processes replace a deployment fact concurrently, one succeeds and the others get Conflict",
    Effect.gen(function* () {
      const store = yield* DeploymentStore
      const from = yield* store.claim("billedBy", "merchant")
      const mine = Array.from({ length: 20 }, () => Identifier.randomText(8))
      const results = yield* Effect.forEach(mine, (to) => Effect.result(store.replace("billedBy", from, to)), {
        concurrency: "unbounded"
      })
      const done = mine.filter((_, i) => Result.isSuccess(results[i]!))
      assert.lengthOf(done, 1)
      for (const result of results) if (Result.isFailure(result)) assert.strictEqual(result.failure._tag, "Conflict")
      assert.strictEqual(yield* store.get("billedBy"), done[0])
      yield* store.replace("billedBy", done[0]!, from)
    })
  )
]
