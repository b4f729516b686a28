import { assert, describe, it } from "vitest"
import { beginOfRange } from "../../src/screens/protection/filters.ts"
import { hitsPeople, homeOf, type Seen, standingOf } from "../../src/screens/protection/standing.ts"

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
  it("names the country where people entered more than half of all codes", () => {
    const places = [
      { group: "IN", verified: 6 },
      { group: "GB", verified: 3 },
      { group: null, verified: 2 }
    ]
    assert.deepStrictEqual(homeOf(places), { country: "IN", typed: 6, of: 11 })
    assert.isNull(homeOf([...places, { group: "AE", verified: 1 }]))
    assert.isNull(homeOf([{ group: "IN", verified: 0 }]))
    assert.isNull(homeOf([{ group: null, verified: 9 }]))
    assert.isNull(homeOf([]))
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
