import { assert, describe, it } from "vitest"
import { chosenOf, mostSelected, pressed } from "../../src/screens/inbox/selection.ts"

const ids = [9, 7, 5, 3, 1]
const press = (selected: ReadonlyArray<number>, id: number, from: number | null = null) =>
  [...pressed(new Set(selected), ids, { id, from })].toSorted((a, b) => b - a)

describe("the selection of leads", () => {
  it("a press selects a row, and a second press deselects it", () => {
    assert.deepStrictEqual(press([9], 5), [9, 5])
    assert.deepStrictEqual(press([9, 5], 5), [9])
  })
  it("a range in either direction gets the state of the pressed row", () => {
    assert.deepStrictEqual(press([7], 3, 7), [7, 5, 3])
    assert.deepStrictEqual(press([3], 9, 3), [9, 7, 5, 3])
    assert.deepStrictEqual(press([9, 7, 5, 3], 3, 7), [9])
    assert.deepStrictEqual(press([], 5, 42), [5])
  })
  it("has only leads that are listed, in their order, and at most as many as a request takes", () => {
    const leads = Array.from({ length: 150 }, (_, id) => ({ id }))
    assert.deepStrictEqual(chosenOf([{ id: 3 }, { id: 1 }], new Set([1, 2, 3])), [{ id: 3 }, { id: 1 }])
    assert.lengthOf(chosenOf(leads, new Set(leads.map(({ id }) => id))), mostSelected)
  })
})
