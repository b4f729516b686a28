import { assert, describe, it } from "vitest"
import { beginOfRange } from "../../src/screens/protection/filters.ts"
import { hitsPeople, type Seen, standingOf } from "../../src/screens/protection/standing.ts"

const nothing = { refused: 0, typed: 0, saved: null }
const reasonOf = (reason: Seen["reasons"][number]["reason"], enforced: boolean, refused = 0) => ({
  reason,
  enforced,
  would: nothing,
  refused
})
const seenOf = (enforced: ReadonlyArray<boolean>, refused = 0, would: Seen["would"] = nothing): Seen => ({
  currency: "INR",
  trips: [],
  would,
  reasons: [
    reasonOf("PREFIX_UNVERIFIED", enforced[0] === true, refused),
    reasonOf("COUNTRY_UNVERIFIED", enforced[1] === true, refused)
  ]
})

describe("what the guard does now", () => {
  it("records until a reason is enforced, and refuses for all when every reason is", () => {
    const modes = [[], [true], [true, true]].map((enforced) => standingOf(seenOf(enforced)).mode)
    assert.deepStrictEqual(modes, ["records", "some", "all"])
  })
  it("is quiet only when it neither refused nor would have refused anything", () => {
    assert.isTrue(standingOf(seenOf([true])).isQuiet)
    assert.deepInclude(standingOf(seenOf([true], 2)), { isQuiet: false, refused: 4 })
    assert.isFalse(standingOf(seenOf([], 0, { ...nothing, refused: 1 })).isQuiet)
  })
  it("warns when people entered one in twenty of the codes or more", () => {
    const warned = [
      [0, 0],
      [100, 0],
      [100, 4],
      [100, 5],
      [1, 1]
    ].map(([refused = 0, typed = 0]) => hitsPeople({ refused, typed, saved: null }))
    assert.deepStrictEqual(warned, [false, false, false, true, true])
  })
})

describe("the range of the figures", () => {
  it("begins at midnight in the viewer's time zone, and today is its last day", () => {
    const now = new Date(2026, 10, 27, 15, 30)
    assert.strictEqual(beginOfRange("7d", now), new Date(2026, 10, 21).toISOString())
  })
})
