import { assert, describe, it } from "vitest"
import { scrollTo, stepOf, windowOf } from "../../src/parts/windowOf.ts"
import { joined } from "../../src/query/joined.ts"

describe("the rows that are drawn", () => {
  const look = { rowHeight: 40, height: 800 }

  it("are those that are looked at and few to spare, of any number", () => {
    for (const scrollTop of [0, 39, 40, 123_456, 3_999_200]) {
      const { end, first } = windowOf({ count: 100_000, scrollTop, ...look })
      assert.isAtMost(end - first, 20 + 1 + 12)
      assert.isAtMost(first * 40, scrollTop)
      assert.isAtLeast(end * 40, Math.min(scrollTop + 800, 4_000_000))
    }
  })

  it("are none of an empty list, and the last one where it became short", () => {
    assert.deepStrictEqual(windowOf({ count: 0, scrollTop: 0, ...look }), { first: 0, end: 0 })
    assert.deepStrictEqual(windowOf({ count: 1, scrollTop: 9_999, ...look }), { first: 0, end: 1 })
  })
})

describe("keys in a list", () => {
  const whole = { count: 100, page: 19 }

  it("lead on, and stop at both ends", () => {
    const keys = ["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", "a"]
    assert.deepStrictEqual(
      keys.map((key) => stepOf(key, 5, whole)),
      [6, 4, 24, 0, 0, 99, null]
    )
    assert.strictEqual(stepOf("ArrowDown", 99, whole), 99)
    assert.isNull(stepOf("End", 0, { count: 0, page: 19 }))
  })

  it("scroll no further than a row needs to be seen", () => {
    const look = { height: 800, rowHeight: 40, scrollTop: 400 }
    assert.isNull(scrollTo(10, look))
    assert.strictEqual(scrollTo(9, look), 360)
    assert.strictEqual(scrollTo(30, look), 440)
  })
})

describe("a first page joined with what was read", () => {
  const of = (...ids: ReadonlyArray<number>) => ids.map((id) => ({ id }))
  const id = (item: { readonly id: number }) => String(item.id)
  const ids = (items: ReadonlyArray<{ readonly id: number }>) => items.map((item) => item.id)

  it("shows what moved to the head once", () => {
    const { gap, items } = joined(of(5, 4, 3, 2, 1), { items: of(2, 5, 4), nextCursor: "4" }, id, null)
    assert.deepStrictEqual([ids(items), gap], [[2, 5, 4, 3, 1], false])
  })

  it("begins anew after a gap", () => {
    const { gap, items } = joined(of(5, 4), { items: of(9, 8), nextCursor: "8" }, id, null)
    assert.deepStrictEqual([ids(items), gap], [[9, 8], true])
  })

  it("keeps what was read behind a short page that looked back far enough, also where it found nothing", () => {
    const reach = { headAt: 1_000, timeOf: Number }
    assert.deepStrictEqual(ids(joined(of(5, 4), { items: [], nextCursor: "900" }, id, reach).items), [5, 4])
    assert.deepStrictEqual(ids(joined(of(5, 4), { items: of(9), nextCursor: "900" }, id, reach).items), [9, 5, 4])
    assert.isTrue(joined(of(5, 4), { items: of(9), nextCursor: "1001" }, id, reach).gap)
  })
})
