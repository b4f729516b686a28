import { assert, describe, it } from "@effect/vitest"
import { LocalCounts } from "../../src/foundation/limit/LocalCounts.ts"

const start = 1_800_000_000_000
const hour = 3_600_000

describe("counts in the memory of a process", () => {
  it("are exhausted at the limit, until an hour after the first", () => {
    const counts = new LocalCounts()
    for (let i = 0; i < 3; i++) {
      assert.isNull(counts.secondsUntilFree("a", 3, start + i))
      counts.count("a", start + i)
    }
    assert.strictEqual(counts.secondsUntilFree("a", 3, start + 3), 3600)
    assert.isNull(counts.secondsUntilFree("a", 4, start + 3))
    assert.isNull(counts.secondsUntilFree("b", 3, start + 3))
    assert.strictEqual(counts.secondsUntilFree("a", 3, start + hour - 1), 1)
    assert.isNull(counts.secondsUntilFree("a", 3, start + hour))
    counts.count("a", start + hour)
    assert.isNull(counts.secondsUntilFree("a", 2, start + hour))
  })

  it("keep a bounded number of keys, and drop the oldest first", () => {
    const counts = new LocalCounts(2)
    for (const key of ["a", "b", "c"]) counts.count(key, start)
    assert.deepStrictEqual(
      ["a", "b", "c"].map((key) => counts.secondsUntilFree(key, 1, start)),
      [null, 3600, 3600]
    )
  })

  it("can be reduced in the hour of their count, and in no later one", () => {
    const counts = new LocalCounts()
    const uncount = counts.count("a", start)
    counts.count("a", start)
    uncount()
    assert.isNull(counts.secondsUntilFree("a", 2, start))
    assert.strictEqual(counts.secondsUntilFree("a", 1, start), 3600)
    const late = counts.count("a", start)
    counts.count("a", start + hour)
    late()
    assert.strictEqual(counts.secondsUntilFree("a", 1, start + hour), 3600)
  })
})
