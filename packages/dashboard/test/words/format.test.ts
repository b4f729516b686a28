import { assert, describe, it } from "vitest"
import { clockOf, time } from "../../src/words/format.ts"

describe("the time of a row", () => {
  const now = new Date(2026, 10, 24, 12, 0, 0).getTime()
  it("is the time alone for today", () => {
    const at = new Date(2026, 10, 24, 9, 5, 7)
    assert.strictEqual(clockOf(at, now), time(at, true))
  })
  it("has the date and the time on other days", () => {
    const yesterday = new Date(2026, 10, 23, 14, 5, 12)
    const shown = clockOf(yesterday, now)
    assert.include(shown, "23")
    assert.include(shown, time(yesterday, true))
    assert.notInclude(shown, "2026")
    assert.include(clockOf(new Date(2025, 10, 23, 14, 5, 12), now), "2025")
  })
})
