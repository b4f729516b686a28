import { assert, describe, it } from "vitest"
import { fitting, type Goal, lookedFor, rank } from "../../src/shell/found.ts"

const goal = (words: string, also?: string): Goal => ({
  id: words,
  kind: "",
  words,
  run: () => {},
  ...(also === undefined ? {} : { also })
})

describe("the palette", () => {
  it("finds by beginning, by word, inside and by letters, the nearest first", () => {
    const goals = ["Inverse", "Go to Verifications", "Verifications", "Vexing errors"].map((words) => goal(words))
    assert.deepStrictEqual(
      fitting(goals, "ver").map(({ words }) => words),
      ["Verifications", "Go to Verifications", "Inverse", "Vexing errors"]
    )
    assert.deepStrictEqual(fitting(goals, "zzz"), [])
    assert.lengthOf(fitting(goals, ""), 4)
  })

  it("finds a Hindi word by its English one, and words without their marks", () => {
    assert.lengthOf(fitting([goal("सत्यापन", "verifications")], "verif"), 1)
    assert.isAbove(rank("Réglages", "reglages"), 0)
  })

  it("knows a verification, a number and an address when it sees one", () => {
    assert.deepStrictEqual(lookedFor(" ver_01kaj3 "), { kind: "requestId", text: "ver_01kaj3" })
    assert.strictEqual(lookedFor("+91 98765 43210")?.kind, "identity")
    assert.strictEqual(lookedFor("a@example.com")?.kind, "identity")
    assert.strictEqual(lookedFor("Ravi")?.kind, "words")
    assert.isNull(lookedFor("ab"))
  })
})
