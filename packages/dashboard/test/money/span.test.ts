import { assert, describe, it } from "vitest"
import { fromOf } from "../../src/screens/money/span.ts"

describe("the days of spend", () => {
  it("are today and the days before it, from the viewer's midnight", () => {
    const now = new Date(2026, 2, 10, 15, 30)
    assert.strictEqual(fromOf("7", now), new Date(2026, 2, 4).toISOString())
    assert.strictEqual(fromOf("90", now), new Date(2025, 11, 11).toISOString())
  })
})
