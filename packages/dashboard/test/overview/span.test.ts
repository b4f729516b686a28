import { assert, describe, it } from "vitest"
import { ranges, spanOf, usualRange } from "../../src/screens/overview/span.ts"

const now = new Date(2026, 10, 20, 15, 37, 12)
const at = (day: number, hour = 0, minute = 0, second = 0) => new Date(2026, 10, day, hour, minute, second)

describe("a range of the overview", () => {
  it("today starts at the viewer's midnight and compares with the same day last week, up to the same time", () => {
    const { before, bucket, from, step, to } = spanOf("today", now)
    assert.deepStrictEqual([from, to, bucket, step], [at(20), now, "15m", 900_000])
    assert.deepStrictEqual(before, { from: at(13), until: at(13, 15, 37, 12), to: at(14) })
  })

  it("without a choice is today, and the last 24 hours until six in the morning", () => {
    assert.deepStrictEqual([at(20, 0), at(20, 5, 59), at(20, 6), at(20, 23)].map(usualRange), [
      "24h",
      "24h",
      "today",
      "today"
    ])
  })

  it("24 hours start at a quarter hour", () => {
    const { before, from } = spanOf("24h", now)
    assert.deepStrictEqual(from, at(19, 15, 30))
    assert.deepStrictEqual(before, { from: at(12, 15, 30), until: at(13, 15, 37, 12), to: at(13, 15, 37, 12) })
  })

  it("a range of days includes today, and the previous period ends where it starts", () => {
    assert.deepStrictEqual(
      [spanOf("7d", now).from, spanOf("7d", now).before.from, spanOf("7d", now).bucket],
      [at(14), at(7), "1h"]
    )
    assert.deepStrictEqual(spanOf("30d", now).from, new Date(2026, 9, 22))
    assert.deepStrictEqual(spanOf("30d", now).before.from, new Date(2026, 8, 22))
    assert.strictEqual(spanOf("30d", now).bucket, "1d")
  })

  it("every range stays within the service's limit of points and its retention of quarter hours", () => {
    for (const range of ranges) {
      const { before, bucket, from, step, to } = spanOf(range, now)
      assert.isBelow((to.getTime() - from.getTime()) / step, 3_400)
      if (bucket !== "1d") assert.isBelow(now.getTime() - before.from.getTime(), 35 * 86_400_000)
    }
  })
})
