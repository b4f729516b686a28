import { assert, describe, it } from "vitest"
import { monthsBefore, spanOf } from "../../src/screens/money/span.ts"

const now = new Date(2026, 2, 10, 15, 30)
const midnight = (...parts: [number, number, number]) => new Date(...parts).toISOString()

describe("the period of spend", () => {
  it("is this month, the month before, some days or two dates, from the viewer's midnight", () => {
    assert.deepStrictEqual(spanOf({}, now), { from: midnight(2026, 2, 1) })
    assert.deepStrictEqual(spanOf({ period: "last" }, now), { from: midnight(2026, 1, 1), to: midnight(2026, 2, 1) })
    assert.deepStrictEqual(spanOf({ period: "7" }, now), { from: midnight(2026, 2, 4) })
    assert.deepStrictEqual(spanOf({ period: "90" }, now), { from: midnight(2025, 11, 11) })
    assert.deepStrictEqual(spanOf({ period: "custom", first: "2026-02-03", until: "2026-02-03" }, now), {
      from: midnight(2026, 1, 3),
      to: midnight(2026, 1, 4)
    })
  })

  it("has no end while the second date is before the first", () => {
    const typed = { period: "custom", first: "2026-02-03", until: "2026-01-03" } as const
    assert.deepStrictEqual(spanOf(typed, now), { from: midnight(2026, 1, 3) })
  })

  it("is a month of the statement, also over the end of a year", () => {
    assert.deepStrictEqual(monthsBefore(now, 4), ["2026-03", "2026-02", "2026-01", "2025-12"])
  })
})
