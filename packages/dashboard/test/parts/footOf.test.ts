import { assert, describe, it } from "vitest"
import { footOf } from "../../src/parts/footOf.ts"
import { moment } from "../../src/words/format.ts"

const reached = Date.parse("2025-11-15T09:30:00.000Z")
const when = moment(new Date(reached))

describe("the footer of a list", () => {
  it("an empty list says how far back it was searched", () => {
    assert.strictEqual(footOf({ total: 0, reached, resting: true }), `No results back to ${when}.`)
    assert.strictEqual(footOf({ total: 0, reached, resting: false }), `No results back to ${when}.`)
  })

  it("a list that loads more on request says how far back it was searched", () => {
    assert.strictEqual(footOf({ total: 3, reached, resting: true }), `Searched back to ${when}.`)
    assert.strictEqual(footOf({ total: 3, reached, resting: false }), "")
    assert.strictEqual(footOf({ total: 0, reached: null, resting: false }), "")
  })
})
