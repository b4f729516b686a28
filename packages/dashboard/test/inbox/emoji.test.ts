import { assert, describe, it } from "vitest"
import { emoji, matchingEmoji } from "../../src/screens/inbox/emoji.ts"

describe("the emoji of the composer", () => {
  it("are distinct, and each has words in English and Hindi", () => {
    assert.strictEqual(new Set(emoji.map(({ sign }) => sign)).size, emoji.length)
    for (const { en, hi, sign } of emoji) {
      assert.match(sign, /\p{Emoji}/u)
      assert.match(en, /^[a-z][a-z -]*$/, sign)
      assert.match(hi, /^[\p{Script=Devanagari} ]+$/u, sign)
    }
  })
  it("are found by the beginnings of words in either language", () => {
    const signs = (search: string) => matchingEmoji(search).map(({ sign }) => sign)
    assert.include(signs("thank"), "🙏")
    assert.include(signs("नमस"), "🙏")
    assert.deepStrictEqual(signs("pay card"), ["💳"])
    assert.deepStrictEqual(signs("qqq"), [])
    assert.strictEqual(signs(" ").length, emoji.length)
  })
})
