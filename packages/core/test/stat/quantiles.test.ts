import { assert, describe, it } from "@effect/vitest"
import { latencyClass } from "../../src/account/stat/latencyClass.ts"
import { quantilesOf } from "../../src/account/stat/quantiles.ts"

const countedIn = (millis: ReadonlyArray<number>) => {
  const counts: { [name: string]: number } = {}
  for (const one of millis) {
    const name = `toSend.${latencyClass(one)}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

describe("latency quantiles", () => {
  it("are within 2 % of the exact ones, from a millisecond to a day", () => {
    for (const scale of [1, 30, 1_000, 40_000, 86_000_000]) {
      const millis = Array.from({ length: 1_001 }, (_, i) => Math.round(scale * (1 + (i / 1_000) ** 3)))
      const found = quantilesOf("toSend", countedIn(millis))!
      for (const [share, value] of [
        [0.5, found.p50],
        [0.95, found.p95],
        [0.99, found.p99]
      ] as const) {
        const exact = millis[Math.ceil(share * millis.length) - 1]!
        assert.isAtMost(Math.abs(value - exact), Math.max(1, 0.02 * exact), `${share} of ${scale}`)
      }
    }
  })

  it("are null without latencies, and use their own metric only", () => {
    assert.isNull(quantilesOf("toVerify", countedIn([5])))
    assert.deepStrictEqual(quantilesOf("toSend", countedIn([5])), { p50: 5, p95: 5, p99: 5 })
  })
})
