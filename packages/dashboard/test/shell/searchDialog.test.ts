import { assert, describe, it } from "vitest"
import {
  matchingEntries,
  type SearchEntry,
  leadSearch,
  parseSearch,
  matchRank,
  substringRank
} from "../../src/shell/searchDialog.ts"

const entry = (label: string, aliases?: string): SearchEntry => ({
  id: label,
  kind: "",
  label,
  run: () => {},
  ...(aliases === undefined ? {} : { aliases })
})

describe("the palette", () => {
  it("finds by prefix, word, substring and letters, best match first", () => {
    const entries = ["Inverse", "Go to Verifications", "Verifications", "Vexing errors"].map((label) => entry(label))
    assert.deepStrictEqual(
      matchingEntries(entries, "ver").map(({ label }) => label),
      ["Verifications", "Go to Verifications", "Inverse", "Vexing errors"]
    )
    assert.deepStrictEqual(matchingEntries(entries, "zzz"), [])
    assert.lengthOf(matchingEntries(entries, ""), 4)
  })

  it("finds a Hindi word by its English one, and words without diacritics", () => {
    assert.lengthOf(matchingEntries([entry("सत्यापन", "verifications")], "verif"), 1)
    assert.isAbove(matchRank("Réglages", "reglages"), 0)
  })

  it("finds a screen by its usual name, and not by scattered letters", () => {
    const screens = [
      entry("Money", "money top up refund"),
      entry("Keys", "keys api key"),
      entry("Asked for the day ahead")
    ]
    const found = (typed: string, least?: number) =>
      matchingEntries(screens, typed, 12, least).map(({ label }) => label)
    assert.deepStrictEqual([found("top up"), found("api key"), found("mtur")], [["Money"], ["Keys"], []])
    assert.deepStrictEqual([found("asha"), found("asha", substringRank)], [["Asked for the day ahead"], []])
  })

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
