import { assert, describe, it } from "vitest"
import { initialsOf, nameOf } from "../../src/screens/inbox/names.ts"
import { displayNames } from "../../src/screens/inbox/useDisplayNames.ts"

describe("the name of a team member", () => {
  it("is the one they chose, or the beginning of their address", () => {
    displayNames.value = new Map([["asha@x.example", "Asha Mehta"]])
    assert.strictEqual(nameOf("asha@x.example"), "Asha Mehta")
    assert.strictEqual(nameOf("ravi.k@x.example"), "ravi.k")
    displayNames.value = new Map()
  })
  it("has initials of its first and last word, in any script", () => {
    for (const [name, initials] of [
      ["Asha Mehta", "AM"],
      ["ravi.k", "RK"],
      ["Asha", "A"],
      ["मीरा कुमारी शर्मा", "मीश"],
      ["👩‍💻", "?"],
      ["", "?"]
    ] as const)
      assert.strictEqual(initialsOf(name), initials, name)
  })
})
