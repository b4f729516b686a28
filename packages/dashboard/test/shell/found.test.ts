import { assert, describe, it } from "vitest"
import { fitting, type Goal, leadSearch, lookedFor, rank, whole } from "../../src/shell/searchDialog.ts"

const goal = (words: string, also?: string): Goal => ({
  id: words,
  kind: "",
  words,
  run: () => {},
  ...(also === undefined ? {} : { also })
})

describe("the palette", () => {
  it("finds by prefix, word, substring and letters, best match first", () => {
    const goals = ["Inverse", "Go to Verifications", "Verifications", "Vexing errors"].map((words) => goal(words))
    assert.deepStrictEqual(
      fitting(goals, "ver").map(({ words }) => words),
      ["Verifications", "Go to Verifications", "Inverse", "Vexing errors"]
    )
    assert.deepStrictEqual(fitting(goals, "zzz"), [])
    assert.lengthOf(fitting(goals, ""), 4)
  })

  it("finds a Hindi word by its English one, and words without diacritics", () => {
    assert.lengthOf(fitting([goal("सत्यापन", "verifications")], "verif"), 1)
    assert.isAbove(rank("Réglages", "reglages"), 0)
  })

  it("finds a screen by its usual name, and not by scattered letters", () => {
    const screens = [
      goal("Money", "money top up refund"),
      goal("Keys", "keys api key"),
      goal("Asked for the day ahead")
    ]
    const found = (typed: string, least?: number) => fitting(screens, typed, 12, least).map(({ words }) => words)
    assert.deepStrictEqual([found("top up"), found("api key"), found("mtur")], [["Money"], ["Keys"], []])
    assert.deepStrictEqual([found("asha"), found("asha", whole)], [["Asked for the day ahead"], []])
  })

  it("sends no lead search that the service would reject", () => {
    const digits = ["9", "98", "981", "9812", "98123", "981234567", "9812345678", "+91 98123 45678"]
    const texts = [...digits, "a", "as", "a1", "asha 12", "asha 123"]
    const searched = (isMasked: boolean) => texts.filter((typed) => leadSearch(typed, isMasked) !== null)
    assert.deepStrictEqual(searched(false), [...digits.slice(3), "as", "asha 12", "asha 123"])
    assert.deepStrictEqual(searched(true), ["9812", "9812345678", "+91 98123 45678", "as", "asha 12"])
    assert.strictEqual(leadSearch(" asha ", false), "asha")
  })

  it("recognises a verification id, a number and an e-mail address", () => {
    assert.deepStrictEqual(lookedFor(" ver_01kaj3 "), { kind: "requestId", text: "ver_01kaj3" })
    assert.strictEqual(lookedFor("+91 98765 43210")?.kind, "identity")
    assert.strictEqual(lookedFor("a@example.com")?.kind, "identity")
    assert.strictEqual(lookedFor("Ravi")?.kind, "words")
    assert.isNull(lookedFor("ab"))
  })
})
