import { assert, describe, it } from "vitest"
import { ago, clockOf, time } from "../../src/words/format.ts"

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

describe("how long ago something happened", () => {
  const ticked = Date.parse("2026-11-24T12:00:00Z")
  const at = new Date(ticked + 3_000)

  it("is now, and not in the future, for what happened since the page's time last moved", () => {
    assert.strictEqual(ago(at, ticked, ticked + 4_000), "now")
    assert.strictEqual(ago(at, ticked, ticked + 3_000), "now")
  })

  it("says when something will happen, and how long ago it did", () => {
    assert.match(ago(at, ticked, ticked + 1_000), /^in 2 sec/)
    assert.match(ago(at, ticked + 10_000, ticked + 12_000), /^7 sec.* ago$/)
  })
})
