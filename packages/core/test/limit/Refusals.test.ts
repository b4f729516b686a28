import { assert, describe, it } from "@effect/vitest"
import { Refusals } from "../../src/limit/Refusals.ts"

const start = 1_800_000_000_000
const hour = 3_600_000

describe("refusals of one address", () => {
  it("are too many once they reach the limit, until an hour after the first", () => {
    const refusals = new Refusals()
    for (let i = 0; i < 3; i++) {
      assert.isNull(refusals.secondsUntilFree("a", 3, start + i))
      refusals.count("a", start + i)
    }
    assert.strictEqual(refusals.secondsUntilFree("a", 3, start + 3), 3600)
    assert.isNull(refusals.secondsUntilFree("a", 4, start + 3))
    assert.isNull(refusals.secondsUntilFree("b", 3, start + 3))
    assert.strictEqual(refusals.secondsUntilFree("a", 3, start + hour - 1), 1)
    assert.isNull(refusals.secondsUntilFree("a", 3, start + hour))
    refusals.count("a", start + hour)
    assert.isNull(refusals.secondsUntilFree("a", 2, start + hour))
  })

  it("take no more memory than for so many addresses: the one counted first is forgotten", () => {
    const refusals = new Refusals(2)
    for (const key of ["a", "b", "c"]) refusals.count(key, start)
    assert.deepStrictEqual(
      ["a", "b", "c"].map((key) => refusals.secondsUntilFree(key, 1, start)),
      [null, 3600, 3600]
    )
  })
})
