import { assert, describe, it } from "vitest"
import { scrollTo, stepOf, windowOf } from "../../src/parts/windowOf.ts"
import { joined } from "../../src/query/joined.ts"

describe("the drawn rows", () => {
  const look = { rowHeight: 40, height: 800 }

  it("are the visible ones plus a few, for any list length", () => {
    for (const scrollTop of [0, 39, 40, 123_456, 3_999_200]) {
      const { end, first } = windowOf({ count: 100_000, scrollTop, ...look })
      assert.isAtMost(end - first, 20 + 1 + 12)
      assert.isAtMost(first * 40, scrollTop)
      assert.isAtLeast(end * 40, Math.min(scrollTop + 800, 4_000_000))
    }
  })

  it("are none of an empty list, and the last ones of a list that became shorter", () => {
    assert.deepStrictEqual(windowOf({ count: 0, scrollTop: 0, ...look }), { first: 0, end: 0 })
    assert.deepStrictEqual(windowOf({ count: 1, scrollTop: 9_999, ...look }), { first: 0, end: 1 })
  })
})

describe("keys in a list", () => {
  const whole = { count: 100, page: 19 }

  it("move between rows and stop at both ends", () => {
    const keys = ["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", "a"]
    assert.deepStrictEqual(
      keys.map((key) => stepOf(key, 5, whole)),
      [6, 4, 24, 0, 0, 99, null]
    )
    assert.strictEqual(stepOf("ArrowDown", 99, whole), 99)
    assert.isNull(stepOf("End", 0, { count: 0, page: 19 }))
  })

  it("scroll only as far as needed to show a row", () => {
    const look = { height: 800, rowHeight: 40, scrollTop: 400 }
    assert.isNull(scrollTo(10, look))
    assert.strictEqual(scrollTo(9, look), 360)
    assert.strictEqual(scrollTo(30, look), 440)
  })
})

describe("a fresh first page joined with loaded items", () => {
  const of = (...ids: ReadonlyArray<number>) => ids.map((id) => ({ id }))
  const id = (item: { readonly id: number }) => String(item.id)
  const ids = (items: ReadonlyArray<{ readonly id: number }>) => items.map((item) => item.id)

  it("shows an item that moved to the head once", () => {
    const { gap, items } = joined(of(5, 4, 3, 2, 1), { items: of(2, 5, 4), nextCursor: "4" }, id, null)
    assert.deepStrictEqual([ids(items), gap], [[2, 5, 4, 3, 1], false])
  })

  it("restarts after a gap", () => {
    const { gap, items } = joined(of(5, 4), { items: of(9, 8), nextCursor: "8" }, id, null)
    assert.deepStrictEqual([ids(items), gap], [[9, 8], true])
  })

  it("keeps loaded items after a short or empty page that reached far enough back", () => {
    const reach = { headAt: 1_000, timeOf: Number }
    assert.deepStrictEqual(ids(joined(of(5, 4), { items: [], nextCursor: "900" }, id, reach).items), [5, 4])
    assert.deepStrictEqual(ids(joined(of(5, 4), { items: of(9), nextCursor: "900" }, id, reach).items), [9, 5, 4])
    assert.isTrue(joined(of(5, 4), { items: of(9), nextCursor: "1001" }, id, reach).gap)
  })
})
