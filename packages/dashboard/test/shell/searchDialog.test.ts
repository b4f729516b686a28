import { assert, describe, it } from "vitest"
import { leadSearch, parseSearch } from "../../src/shell/searchDialog.ts"

describe("the palette's searches", () => {
  it("sends no lead search that the service would reject", () => {
    const digits = ["9", "98", "981", "9812", "98123", "981234567", "9812345678", "+91 98123 45678"]
    const texts = [...digits, "a", "as", "a a", "a1", "asha 12", "asha 123"]
    const searched = (isMasked: boolean) => texts.filter((typed) => leadSearch(typed, isMasked) !== null)
    assert.deepStrictEqual(searched(false), [...digits.slice(3), "as", "asha 12", "asha 123"])
    assert.deepStrictEqual(searched(true), ["9812", "9812345678", "+91 98123 45678", "as", "asha 12"])
    assert.strictEqual(leadSearch(" asha ", false), "asha")
  })

  it("recognises a verification id, a number and an e-mail address", () => {
    assert.deepStrictEqual(parseSearch(" ver_01kaj3 "), { kind: "requestId", text: "ver_01kaj3" })
    assert.strictEqual(parseSearch("+91 98765 43210")?.kind, "identity")
    assert.strictEqual(parseSearch("a@example.com")?.kind, "identity")
    assert.strictEqual(parseSearch("Ravi")?.kind, "words")
    assert.isNull(parseSearch("ab"))
  })
})
