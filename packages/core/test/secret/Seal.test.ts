import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { afterAll, vi } from "vitest"
import { Keyring, MasterKey } from "../../src/index.ts"

const keyOf = (fill: number) => new MasterKey(new Uint8Array(32).fill(fill))
const ringOf = (current: MasterKey, ...previous: ReadonlyArray<MasterKey>) => {
  const all = [current, ...previous]
  return Keyring.of({ current, all, find: (id) => all.find((key) => key.id === id) })
}

/** The module as it loads on this platform, and as it loads where Node's own cryptography is missing. */
const onNode = await import("../../src/foundation/secret/Seal.ts")
vi.resetModules()
vi.stubGlobal("process", { ...process, getBuiltinModule: undefined })
const elsewhere = await import("../../src/foundation/secret/Seal.ts")
vi.unstubAllGlobals()
afterAll(() => void vi.resetModules())

describe.each([
  ["on Node", onNode],
  ["on a platform with WebCrypto alone", elsewhere]
])("a sealed value, %s,", (_platform, Seal) => {
  const ring = ringOf(keyOf(1))

  it.effect.prop(
    "opens to the same text, also where it was not sealed",
    { text: Schema.String },
    ({ text }) =>
      Effect.gen(function* () {
        const wellFormed = text.toWellFormed()
        for (const other of [onNode, elsewhere]) {
          const sealed = yield* other.seal(ring, "webhook-secret", wellFormed)
          assert.strictEqual(
            yield* Seal.open(ring, "webhook-secret", sealed),
            new TextDecoder().decode(new TextEncoder().encode(wellFormed))
          )
        }
      }),
    { arbitrary: { runs: 100 } }
  )

  it.effect("does not open if a character was changed or cut off", () =>
    Effect.gen(function* () {
      const sealed = yield* Seal.seal(ring, "webhook-secret", "whsec_0123")
      const bytesOf = (text: string) => Buffer.from(text, "base64")
      const [id, iv, body] = sealed.split(".") as [string, string, string]
      const put = (iv: Buffer, body: Buffer) => `${id}.${iv.toString("base64")}.${body.toString("base64")}`
      const broken: Array<string> = []
      for (let at = 0; at < bytesOf(iv).length; at++) {
        const changed = bytesOf(iv)
        changed[at]! ^= 1
        broken.push(put(changed, bytesOf(body)))
      }
      for (let at = 0; at < bytesOf(body).length; at++) {
        const changed = bytesOf(body)
        changed[at]! ^= 1
        broken.push(put(bytesOf(iv), changed), put(bytesOf(iv), bytesOf(body).subarray(0, at)))
      }
      // GCM in general allows shorter tags. The tag is all that an empty text is sealed with.
      const [, emptyIv = "", tag = ""] = (yield* Seal.seal(ring, "webhook-secret", "")).split(".")
      for (const length of [4, 8, 12, 13, 14, 15]) broken.push(put(bytesOf(emptyIv), bytesOf(tag).subarray(0, length)))
      broken.push("", id, `${id}.`, `${id}..`, `${id}.${iv}.*`, `${id}.*.${body}`, `.${iv}.${body}`)
      for (const each of broken) {
        const opened = yield* Effect.exit(Seal.open(ring, "webhook-secret", each))
        assert.isTrue(Exit.isFailure(opened), each)
        assert.strictEqual((yield* Effect.flip(Seal.open(ring, "webhook-secret", each)))._tag, "SealBroken")
      }
    })
  )

  it.effect("opens only for its own purpose, and with the key that sealed it", () =>
    Effect.gen(function* () {
      const sealed = yield* Seal.seal(ring, "webhook-secret", "whsec_0123")
      const later = ringOf(keyOf(2), keyOf(1))
      assert.strictEqual(yield* Seal.open(later, "webhook-secret", sealed), "whsec_0123")
      assert.isFalse(Seal.isCurrent(later, sealed))
      for (const refused of [
        Seal.open(ring, "number-token", sealed),
        Seal.open(ringOf(keyOf(2)), "webhook-secret", sealed)
      ]) {
        assert.strictEqual((yield* Effect.flip(refused))._tag, "SealBroken")
      }
    })
  )
})
