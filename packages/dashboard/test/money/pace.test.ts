import { assert, describe, it } from "vitest"
import { paceOf } from "../../src/screens/money/pace.ts"

const now = Date.UTC(2026, 10, 27)
const day = 86_400_000

describe("the pace of a balance", () => {
  it("is that of the last 7 or 28 days, whichever costs more", () => {
    assert.deepStrictEqual(paceOf(1_000, 700, 1_400, now), { tag: "until", perDay: 100, at: now + 10 * day })
    assert.deepStrictEqual(paceOf(1_000, 7, 2_800, now), { tag: "until", perDay: 100, at: now + 10 * day })
  })

  it("is unknown without a cost before the last week, and idle without any", () => {
    assert.deepStrictEqual(paceOf(1_000, 700, 700, now), { tag: "unknown" })
    assert.deepStrictEqual(paceOf(1_000, 0, 0, now), { tag: "idle" })
  })

  it("ends now for an empty balance, and names no date that is more than a year away", () => {
    assert.deepStrictEqual(paceOf(-5, 7, 28, now), { tag: "until", perDay: 1, at: now })
    assert.deepStrictEqual(paceOf(366, 7, 28, now), { tag: "long", perDay: 1 })
  })
})
