import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { SecretHash } from "../../src/index.ts"

describe("hashes of secrets that are only compared", () => {
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"]
  ])("of %j use SHA-256", (text, expected) => {
    assert.strictEqual(SecretHash.hash(text), expected)
  })

  it("equal the platform's", async () => {
    for (const text of ["ü", "sk_live_0", "x".repeat(5000), "a lone surrogate: \ud800", "\u0000"]) {
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
      assert.strictEqual(SecretHash.hash(text), Buffer.from(digest).toString("hex"))
    }
  })

  it.each([
    ["", "", true],
    ["", "0", false],
    ["0", "", false],
    ["012345", "012345", true],
    ["12345", "012345", false],
    ["012345", "12345", false],
    ["0123450", "012345", false],
    ["012345012345", "012345", false],
    ["112345", "012345", false],
    ["012346", "012345", false],
    ["\u0130", "0", false],
    ["٠١٢٣", "0123", false],
    ["０１２３", "0123", false],
    ["012\u200b3", "0123", false],
    ["Å", "A\u030a", false]
  ])("compare %j with %j as %s", (one, other, same) => {
    assert.strictEqual(SecretHash.equals(one, other), same)
  })

  it.prop(
    "compare like the operator ===",
    [Schema.String, Schema.String, Schema.Int],
    ([one, other, at]) => {
      assert.strictEqual(SecretHash.equals(one, other), one === other)
      assert.isTrue(SecretHash.equals(one, one))
      const position = Math.abs(at) % Math.max(1, one.length)
      const changed = `${one.slice(0, position)}\u2603${one.slice(position + 1)}`
      assert.strictEqual(SecretHash.equals(changed, one), changed === one)
      assert.isFalse(SecretHash.equals(`${one}${one}x`, one))
    },
    { arbitrary: { runs: 1000 } }
  )
})
