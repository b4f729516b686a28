import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { macUnder, macWith } from "../../src/foundation/secret/Mac.ts"

describe.each([
  ["Node's own cryptography", macUnder],
  ["JavaScript", macWith({})]
])("a MAC by %s", (_by, macOf) => {
  it.effect.prop(
    "is HMAC-SHA256 of its parts, for keys of every length",
    { key: Schema.Uint8Array, head: Schema.String, body: Schema.Uint8Array },
    ({ body, head, key }) =>
      Effect.sync(() => {
        const mac = macOf(key)
        const expected = createHmac("sha256", key).update(new TextEncoder().encode(head)).update(body).digest("hex")
        assert.strictEqual(Buffer.from(mac(head, body)).toString("hex"), expected)
        assert.strictEqual(Buffer.from(mac(head, body)).toString("hex"), expected, "the key is used twice")
      }),
    { arbitrary: { runs: 100 } }
  )

  it("encodes half of a surrogate pair as the replacement character, as TextEncoder does", () => {
    const mac = macOf(new Uint8Array(32))
    assert.deepStrictEqual(mac("\ud83d"), mac("\ufffd"))
  })
})
