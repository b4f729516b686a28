import { assert, describe, it } from "@effect/vitest"
import { drawsOf } from "../fixtures/draws.ts"
import { unusualOf, type WindowCounts } from "../../src/data/attention/unusual.ts"

/** Channel, country, requests an hour, conversion and delivery of a merchant's groups. */
const groups = [
  ["SMS", "IN", 400, 0.86, 0.95],
  ["WHATSAPP", "IN", 150, 0.9, 0.97],
  ["SMS", "US", 60, 0.8, 0.93],
  ["SMS", "GB", 25, 0.78, 0.92],
  ["SMS", "DE", 18, 0.75, 0.9],
  ["EMAIL", "", 40, 0.6, 0],
  ["SMS", "NG", 12, 0.55, 0.7],
  ["RCS", "IN", 20, 0.7, 0.8]
] as const

const windowHours = 3
const weeks = 4

interface Ordinary {
  /** The standard deviation of a day's shares around the usual ones, for all groups of a channel together. */
  readonly spread: number
  /** How much smaller or larger the merchant is. */
  readonly size: number
}

/** How many of this many days have an alarm at any of their 96 checks, each over the last three hours. */
const alarmsIn = (days: number, { size, spread }: Ordinary, seed: number) => {
  const draw = drawsOf(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
  const binomial = (n: number, p: number) => {
    if (n < 30) return Array.from({ length: n }, draw).filter((one) => one < p).length
    return Math.min(n, Math.max(0, Math.round(n * p + Math.sqrt(n * p * (1 - p)) * normal())))
  }
  const around = (share: number, shift: number) =>
    share === 0 ? 0 : Math.min(0.99, Math.max(0.01, share + spread * shift))
  /** A day in quarter hours by group: busy in the evening, quiet at night, some days busier than others. */
  const day = () => {
    const busy = Math.exp(0.2 * normal())
    const shifts = new Map(
      ["SMS", "WHATSAPP", "RCS", "EMAIL"].map((channel) => [channel, [normal(), normal()] as const])
    )
    return groups.map(([channel, country, hourly, conversion, delivery]) => {
      const [converts, delivers] = shifts.get(channel)!
      return Array.from({ length: 96 }, (_, n): WindowCounts => {
        const wave = 1 + 0.8 * Math.sin(((n - 40) / 96) * 2 * Math.PI)
        const mean = (hourly / 4) * size * busy * wave
        const asked = Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()))
        const sent = asked
        return {
          channel,
          country,
          asked,
          sent,
          verified: binomial(asked, around(conversion, converts)),
          delivered: binomial(sent, around(delivery, delivers))
        }
      })
    })
  }
  const windowOf = (quarters: ReadonlyArray<ReadonlyArray<WindowCounts>>, end: number) =>
    quarters.flatMap((each) => each.slice(Math.max(0, end - 4 * windowHours), end))
  let past = Array.from({ length: weeks }, day)
  let alarmed = 0
  for (let n = 0; n < days; n++) {
    const today = day()
    const isAlarmed = Array.from({ length: 96 }, (_, index) => index + 1).some(
      (end) =>
        end >= 4 * windowHours &&
        unusualOf(
          windowOf(today, end),
          past.map((week) => windowOf(week, end))
        ).length > 0
    )
    if (isAlarmed) alarmed++
    past = [...past.slice(1), today]
  }
  return alarmed
}

const week = (asked: number, conversion: number, delivery: number): WindowCounts => ({
  channel: "SMS",
  country: "IN",
  asked,
  sent: asked,
  verified: Math.round(asked * conversion),
  delivered: Math.round(asked * delivery)
})

describe("ordinary days", () => {
  // Docs state these rates, from 250 days each. The standard deviation is that of a whole day.
  for (const [size, spread, most] of [
    [0.1, 0.02, 0],
    [1, 0.02, 0],
    [1, 0.03, 1],
    [10, 0.03, 2]
  ] as const)
    it(`of ${10_000 * size} requests, whose shares move by ${100 * spread} points, alarm at most ${most} times in 60 days`, () => {
      assert.isAtMost(alarmsIn(60, { size, spread }, 7), most)
    })

  it("alarm when a channel delivers half as much as usual, or verifies half as many", () => {
    const past = Array.from({ length: 4 }, () => [week(200, 0.9, 0.95)])
    const codesOf = (now: WindowCounts) => unusualOf([now], past).map(({ code }) => code)
    assert.deepStrictEqual(codesOf(week(200, 0.9, 0.95)), [])
    assert.deepStrictEqual(codesOf(week(200, 0.45, 0.95)), ["CONVERSION_LOW"])
    assert.deepStrictEqual(codesOf(week(200, 0.45, 0.5)), ["CONVERSION_LOW", "DELIVERY_LOW"])
  })
})
