import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Core } from "../../src/index.ts"
import { MemoryStorage } from "../../src/index.memory.ts"
import { FingerprintStore } from "../../src/index.storage.ts"
import { judge } from "../../src/foundation/secret/SecretFingerprint.ts"

const [a, b, c] = ["0a", "0b", "0c"].map((byte) => byte.repeat(32)) as [string, string, string]

describe("the fingerprint of the master secret", () => {
  it.each([
    ["a storage without one stores that of the current secret", [], "b", [], "add"],
    ["a known secret is accepted", ["a"], "a", [], "known"],
    ["a rotation is accepted with the old secret on the keyring", ["a"], "b", ["a"], "add"],
    ["the old secret is accepted beside the new one", ["a", "b"], "a", [], "known"],
    ["a secret listed among the previous ones is not stored", ["a"], "a", ["b"], "known"],
    ["an unknown secret is refused", ["a"], "b", [], "unknown"],
    ["an unknown secret with unknown previous ones is refused", ["a"], "b", ["c"], "unknown"],
    ["a second rotation is accepted with a known previous secret", ["a", "b"], "c", ["b"], "add"]
  ] as const)("%s", (_, known, current, previous, expected) => {
    assert.strictEqual(judge(known, { current, previous }), expected)
  })

  it.effect("keeps a process with another secret from starting on a storage, and from changing it", () =>
    Effect.gen(function* () {
      const storage = Layer.succeedContext(yield* Layer.build(MemoryStorage.layer))
      const start = (secret: string, previous: ReadonlyArray<string> = []) =>
        Core.layer({
          secret: Redacted.make(secret),
          previousSecrets: previous.map((one) => Redacted.make(one)),
          publicUrl: "http://localhost",
          channels: []
        }).pipe(Layer.provide(storage), Layer.build, Effect.scoped)
      const known = Effect.provide(
        Effect.flatMap(FingerprintStore, ({ load }) => load),
        storage
      )
      yield* start(a)
      yield* start(a)
      const first = yield* known
      assert.lengthOf(first, 1)
      assert.match(first[0]!, /^[0-9a-f]{32}$/)
      const error = yield* Effect.flip(start(b))
      assert.strictEqual(error._tag, "UnknownSecret")
      assert.strictEqual((yield* Effect.flip(start(b, [c])))._tag, "UnknownSecret")
      assert.deepStrictEqual(yield* known, first)
      yield* start(b, [a])
      assert.lengthOf(yield* known, 2)
      // A process from before the rotation, and one from after it.
      yield* start(a)
      yield* start(b)
      assert.lengthOf(yield* known, 2)
    }).pipe(Effect.scoped)
  )

  it.effect("is stored once by twenty concurrent first starts, and a start with another secret fails or waits", () =>
    Effect.gen(function* () {
      const storage = Layer.succeedContext(yield* Layer.build(MemoryStorage.layer))
      const start = (secret: string) =>
        Core.layer({ secret: Redacted.make(secret), publicUrl: "http://localhost", channels: [] }).pipe(
          Layer.provide(storage),
          Layer.build,
          Effect.scoped,
          Effect.result
        )
      const results = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? a : b)),
        start,
        { concurrency: "unbounded" }
      )
      assert.strictEqual(results.filter((one) => one._tag === "Success").length, 10)
      const { load } = yield* Effect.provide(FingerprintStore, storage)
      assert.lengthOf(yield* load, 1)
    }).pipe(Effect.scoped)
  )
})
