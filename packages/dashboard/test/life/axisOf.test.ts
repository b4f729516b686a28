import { assert, describe, it } from "vitest"
import { axisOf } from "../../src/life/axisOf.ts"

describe("the axis of a timeline", () => {
  it("is true to scale without long waits", () => {
    const { place, stretches, ticks } = axisOf([148, 30_002, 41_007])
    assert.strictEqual(stretches.length, 1)
    assert.closeTo(place(20_000), 20_000 / 41_007, 1e-9)
    assert.deepStrictEqual(ticks.slice(0, 2), [0, 10_000])
  })

  it("shortens a long wait so that earlier steps stay visible", () => {
    const hours = 8 * 3_600_000
    const { place, stretches } = axisOf([148, 30_002, 41_007, hours])
    assert.deepStrictEqual(
      stretches.map(({ from, isBroken, to }) => [from, to, isBroken]),
      [
        [0, 41_007, false],
        [41_007, hours, true]
      ]
    )
    assert.isAbove(place(41_007), 0.75)
    assert.strictEqual(place(hours), 1)
  })

  it("keeps the order and stays within its ends", () => {
    for (let seed = 1; seed < 200; seed++) {
      const moments = Array.from(
        { length: 1 + (seed % 9) },
        (_, n) => Math.abs(Math.sin(seed * (n + 1))) * 10 ** (seed % 9)
      )
      const { place, ticks } = axisOf(moments)
      const places = moments.toSorted((a, b) => a - b).map(place)
      for (const [n, where] of places.entries()) {
        assert.isTrue(where >= 0 && where <= 1, `${seed}: ${where}`)
        assert.isAtLeast(where + 1e-9, places[n - 1] ?? 0)
      }
      assert.isBelow(ticks.length, 30)
    }
  })

  it("has a width when all steps share one moment", () => {
    assert.strictEqual(axisOf([]).place(0), 0)
    assert.strictEqual(axisOf([0, 0]).place(0), 0)
  })
})
