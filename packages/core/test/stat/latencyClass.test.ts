import { assert, describe, it } from "@effect/vitest"
import { latencyClass, spanOf } from "../../src/account/stat/latencyClass.ts"

describe("latency classes", () => {
  it("have no gaps, and none is wider than 1/64 of its start", () => {
    for (let index = 0; index < 1500; index++) {
      const { from, width } = spanOf(index)
      assert.strictEqual(spanOf(index + 1).from, from + width)
      assert.isAtMost(width, Math.max(1, from / 64))
    }
  })

  it("contain the latencies at both of their ends", () => {
    for (let index = 0; spanOf(index).from < 2 ** 31; index++) {
      const { from, width } = spanOf(index)
      assert.deepStrictEqual([latencyClass(from), latencyClass(from + width - 1)], [index, index])
    }
  })

  it.each([
    [-5, 0],
    [0.9, 0],
    [2 ** 31, latencyClass(2 ** 31 - 1)],
    [Number.MAX_SAFE_INTEGER, latencyClass(2 ** 31 - 1)]
  ])("put %f ms into class %i", (millis, index) => assert.strictEqual(latencyClass(millis), index))
})
