import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import * as Seal from "../../src/foundation/secret/Seal.ts"
import { Keyring, MasterKey } from "../../src/index.ts"

const keyOf = (fill: number) => new MasterKey(new Uint8Array(32).fill(fill))
const ringOf = (current: MasterKey, ...previous: ReadonlyArray<MasterKey>) => {
  const all = [current, ...previous]
  return Keyring.of({ current, all, find: (id) => all.find((key) => key.id === id) })
}

const ways = [
  { by: "Node's own cryptography", seal: Seal.seal, open: Seal.open },
  { by: "WebCrypto", seal: Seal.sealWith({}), open: Seal.openWith({}) }
]

describe.each(
  ways.flatMap(({ by: sealedBy, seal }) => ways.map(({ by: openedBy, open }) => ({ sealedBy, openedBy, seal, open })))
)("a value sealed by $sealedBy and opened by $openedBy", ({ open, seal }) => {
  const ring = ringOf(keyOf(1))

  it.effect.prop(
    "is the text that was sealed",
    { text: Schema.String },
    ({ text }) =>
      Effect.gen(function* () {
        const sealed = yield* seal(ring, "webhook-secret", text)
        const asBytes = new TextDecoder().decode(new TextEncoder().encode(text))
        assert.strictEqual(yield* open(ring, "webhook-secret", sealed), asBytes)
      }),
    { arbitrary: { runs: 100 } }
  )

  it.effect("does not open if a character was changed or cut off", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(ring, "webhook-secret", "whsec_0123")
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
      const [, emptyIv = "", tag = ""] = (yield* seal(ring, "webhook-secret", "")).split(".")
      for (const length of [4, 8, 12, 13, 14, 15]) broken.push(put(bytesOf(emptyIv), bytesOf(tag).subarray(0, length)))
      broken.push("", id, `${id}.`, `${id}..`, `${id}.${iv}.*`, `${id}.*.${body}`, `.${iv}.${body}`)
      for (const each of broken) {
        const opened = yield* Effect.exit(open(ring, "webhook-secret", each))
        assert.isTrue(Exit.isFailure(opened), each)
        assert.strictEqual((yield* Effect.flip(open(ring, "webhook-secret", each)))._tag, "SealBroken")
      }
    })
  )

  it.effect("opens only for its own purpose, and with the key that sealed it", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(ring, "webhook-secret", "whsec_0123")
      const later = ringOf(keyOf(2), keyOf(1))
      assert.strictEqual(yield* open(later, "webhook-secret", sealed), "whsec_0123")
      assert.isFalse(Seal.isCurrent(later, sealed))
      for (const refused of [open(ring, "number-token", sealed), open(ringOf(keyOf(2)), "webhook-secret", sealed)]) {
        assert.strictEqual((yield* Effect.flip(refused))._tag, "SealBroken")
      }
    })
  )
})
