import { assert, describe, it } from "vitest"
import {
  compare,
  conversion,
  drawn,
  lossesOf,
  type Point,
  rowsOf,
  sparkOf,
  verdictOf
} from "../../src/screens/overview/figures.ts"
import { spanOf } from "../../src/screens/overview/span.ts"

const now = new Date(2026, 10, 20, 1, 5)
const span = spanOf("today", now)
const point = (from: Date, index: number, verified: number): Point => ({
  at: new Date(from.getTime() + index * span.step).toISOString(),
  asked: 2 * verified,
  sent: 2 * verified,
  delivered: verified,
  verified,
  resent: 0,
  fallbacks: 0,
  oneTap: 1,
  refused: 0
})
const points = (from: Date, verified: ReadonlyArray<number>) => verified.map((each, index) => point(from, index, each))
// Four complete quarter hours, and a running one.
const today = points(span.from, [1, 2, 3, 4, 5])
const before = points(
  span.before.from,
  Array.from({ length: 96 }, () => 10)
)

describe("figures of the overview", () => {
  it("show the whole current period, and compare only completed points", () => {
    const { before: then, now, whole } = compare(span, today, before)
    assert.deepStrictEqual([now.verified, now.oneTap, whole.verified, then.verified], [15, 5, 10, 40])
  })

  it("show no comparison while the previous period is loading", () => {
    assert.strictEqual(compare(span, today, null).before.asked, 0)
  })

  it("without requests there is no conversion rate", () => {
    assert.deepStrictEqual([conversion({ asked: 0, verified: 0 }), conversion({ asked: 4, verified: 3 })], [null, 0.75])
  })
})

describe("the line of the overview", () => {
  it("omits the running quarter hour, and draws the previous day to its end on the same axis", () => {
    const { at, before: then, now } = drawn(span, today, before)
    assert.deepStrictEqual([at.length, now.slice(0, 6), then[95]], [96, [1, 2, 3, 4, null, null], 10])
    assert.strictEqual(at[95], new Date(span.from.getTime() + 95 * span.step).toISOString())
  })

  it("shows the running quarter hour when it is the only one", () => {
    assert.deepStrictEqual(drawn(span, points(span.from, [0, 0, 0, 0, 3]), null).now, [0, 0, 0, 0, 3])
  })
})

describe("rows by channel", () => {
  const counts = { sent: 1, delivered: 1, verified: 1 }

  it("sort by size, have their own latency and cost, and omit empty groups", () => {
    const rows = rowsOf(
      {
        items: [
          { group: "SMS", asked: 2, ...counts },
          { group: null, asked: 9, ...counts },
          { group: "RCS", asked: 0, sent: 0, delivered: 0, verified: 0 }
        ]
      },
      { items: [{ group: "SMS", toDeliver: { p50: 1, p95: 2 } }] },
      { items: [{ group: null, costPerVerified: 7 }] }
    )
    assert.deepStrictEqual(
      rows.map(({ costPerVerified, group, toDeliver }) => [group, toDeliver?.p95 ?? null, costPerVerified]),
      [
        [null, null, 7],
        ["SMS", 2, null]
      ]
    )
  })
})

describe("the verdict of a conversion", () => {
  const of = (asked: number, verified: number) => ({ asked, verified })
  it("needs 20 requests in both periods", () => {
    assert.strictEqual(verdictOf(of(19, 0), of(500, 450)), "few")
    assert.strictEqual(verdictOf(of(500, 0), of(19, 19)), "few")
    assert.strictEqual(verdictOf(of(20, 0), of(20, 20)), "lower")
  })
  it("is a change only beyond chance", () => {
    assert.strictEqual(verdictOf(of(100, 82), of(100, 86)), "same")
    assert.strictEqual(verdictOf(of(10_000, 8_200), of(10_000, 8_600)), "lower")
    assert.strictEqual(verdictOf(of(10_000, 8_600), of(10_000, 8_200)), "higher")
    assert.strictEqual(verdictOf(of(50, 50), of(50, 50)), "same")
  })
})

describe("the losses of the overview", () => {
  it("are summed over groups in the order of a login, and unused codes are one loss", () => {
    const losses = (...counts: ReadonlyArray<readonly [code: string, count: number]>) => ({
      losses: counts.map(([code, count]) => ({ code, count }))
    })
    assert.deepStrictEqual(
      lossesOf([
        losses(["DELIVERED_UNUSED", 40], ["NO_RECEIPT", 3], ["A_LATER_CODE", 9]),
        losses(["NOT_SENT", 2], ["DELIVERED_UNUSED", 5])
      ]),
      [
        { kind: "notSent", count: 2 },
        { kind: "unused", count: 48 }
      ]
    )
  })
})

describe("the small line of the conversion", () => {
  it("has completed points only, at most 32, with gaps where nothing was requested", () => {
    assert.deepStrictEqual(sparkOf(span, points(span.from, [1, 0, 3, 4, 5])), [0.5, null, 0.5, 0.5])
    const week = spanOf("7d", now)
    const hours = Array.from({ length: 7 * 24 }, (_, n) => ({
      ...point(week.from, 0, 1),
      at: new Date(week.from.getTime() + n * week.step).toISOString()
    }))
    assert.isAtMost(sparkOf(week, hours).length, 32)
  })
})
