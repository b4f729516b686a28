import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { checkStatQuery, type StatQuery } from "../../src/account/stat/StatQuery.ts"

const hour = 3_600_000
const day = 24 * hour
const now = Date.parse("2026-04-10T08:07:00.000Z")

const asked = (query: StatQuery, whole = false) => Result.getOrThrow(checkStatQuery(query, now, whole))
const iso = (at: number) => new Date(at).toISOString().replace(":00.000Z", "Z")
const atsOf = (query: StatQuery) => asked(query).points.map(({ at }) => iso(at))
const stretchesOf = (query: StatQuery, whole = false) =>
  asked(query, whole).stretches.map(({ from, span, to }) => `${span} ${iso(from)} ${iso(to)}`)

describe("a statistics query", () => {
  it("by day has each local day once, with 23 and 25 hours at clock changes", () => {
    const berlin = asked({ tz: "Europe/Berlin", from: "2026-03-27T23:00:00Z", to: "2026-03-30T22:00:00Z" }).points
    assert.deepStrictEqual(
      berlin.map(({ at }) => iso(at)),
      ["2026-03-27T23:00Z", "2026-03-28T23:00Z", "2026-03-29T22:00Z"]
    )
    const back = checkStatQuery(
      { tz: "America/New_York", from: "2026-11-01T04:00:00Z", to: "2026-11-03T05:00:00Z" },
      Date.parse("2026-11-05T00:00:00Z"),
      false
    )
    assert.deepStrictEqual(
      Result.getOrThrow(back).points.map(({ at }) => iso(at)),
      ["2026-11-01T04:00Z", "2026-11-02T05:00Z"]
    )
  })

  it("by day for India and Nepal starts at their midnights", () => {
    const range = { from: "2026-04-08T00:00:00Z", to: "2026-04-09T00:00:00Z" }
    assert.deepStrictEqual(atsOf({ ...range, tz: "Asia/Kolkata" }), ["2026-04-07T18:30Z", "2026-04-08T18:30Z"])
    assert.deepStrictEqual(atsOf({ ...range, tz: "Asia/Kathmandu" }), ["2026-04-07T18:15Z", "2026-04-08T18:15Z"])
  })

  it("by hour has local hours, also on a day with a clock change of half an hour", () => {
    const hours = (query: StatQuery) => atsOf({ bucket: "1h", ...query })
    const range = { from: "2026-04-08T00:00:00Z", to: "2026-04-08T02:00:00Z" }
    assert.deepStrictEqual(hours({ ...range, tz: "Asia/Kathmandu" }), [
      "2026-04-07T23:15Z",
      "2026-04-08T00:15Z",
      "2026-04-08T01:15Z"
    ])
    const berlin = hours({ tz: "Europe/Berlin", from: "2026-03-28T23:00:00Z", to: "2026-03-29T22:00:00Z" })
    assert.strictEqual(berlin.length, 23)
    const howe = hours({ tz: "Australia/Lord_Howe", from: "2026-04-04T13:00:00Z", to: "2026-04-04T17:00:00Z" })
    assert.deepStrictEqual(howe, ["2026-04-04T13:00Z", "2026-04-04T14:00Z", "2026-04-04T15:30Z", "2026-04-04T16:30Z"])
  })

  it("counts the quarter hours that start within its range", () => {
    const range = { bucket: "15m", from: "2026-04-08T00:01:00Z", to: "2026-04-08T00:31:00Z" }
    assert.deepStrictEqual(atsOf(range), ["2026-04-08T00:15Z", "2026-04-08T00:30Z"])
  })

  it("reads whole UTC days where they are part of one point, else quarter hours", () => {
    const range = { from: "2026-04-07T12:00:00Z", to: "2026-04-10T06:00:00Z" }
    const edges = [
      "QUARTER 2026-04-07T12:00Z 2026-04-08T00:00Z",
      "DAY 2026-04-08T00:00Z 2026-04-10T00:00Z",
      "QUARTER 2026-04-10T00:00Z 2026-04-10T06:00Z"
    ]
    assert.deepStrictEqual(stretchesOf(range, true), edges)
    assert.deepStrictEqual(stretchesOf(range), edges)
    assert.deepStrictEqual(stretchesOf({ ...range, tz: "Asia/Kolkata" }), [
      "QUARTER 2026-04-07T12:00Z 2026-04-10T06:00Z"
    ])
  })

  it("uses UTC days for local days once quarter hours are deleted, and counts nothing twice at the border", () => {
    const range = { tz: "Asia/Kolkata", from: "2026-03-03T10:00:00Z", to: "2026-03-07T10:00:00Z" }
    // Quarter hours are kept since 2026-03-06T00:00Z.
    assert.deepStrictEqual(atsOf(range), [
      "2026-03-04T00:00Z",
      "2026-03-05T00:00Z",
      "2026-03-05T18:30Z",
      "2026-03-06T18:30Z"
    ])
    assert.deepStrictEqual(stretchesOf(range), [
      "DAY 2026-03-04T00:00Z 2026-03-06T00:00Z",
      "QUARTER 2026-03-06T00:00Z 2026-03-07T10:00Z"
    ])
    assert.deepStrictEqual(stretchesOf({ from: "2026-03-03T10:00:00Z", to: "2026-03-03T20:00:00Z" }, true), [])
    assert.deepStrictEqual(stretchesOf({ from: "2026-03-03T00:00:00Z", to: "2026-03-03T20:00:00Z" }, true), [
      "DAY 2026-03-03T00:00Z 2026-03-04T00:00Z"
    ])
  })

  it("covers the last 30 local days by default, without gap or overlap", () => {
    for (const tz of ["UTC", "Asia/Kathmandu", "America/New_York"]) {
      const { points, stretches } = asked({ tz })
      assert.strictEqual(points.length, 30)
      assert.isAbove(stretches.at(-1)!.to, now)
      for (const [i, { from }] of stretches.entries()) {
        assert.strictEqual(from, i === 0 ? points[0]!.from : stretches[i - 1]!.to)
        assert.isAtMost(stretches[i]!.to - from, stretches[i]!.span === "DAY" ? 300 * day : 4 * day)
      }
    }
  })

  it("with a future range reads nothing from storage for it", () => {
    const { points, stretches } = asked({
      tz: "Asia/Kolkata",
      from: "2026-04-09T18:30:00Z",
      to: "2030-04-09T18:30:00Z"
    })
    assert.strictEqual(points.length, 1_461)
    assert.isAtMost(stretches.length, 1)
  })

  it.each<[string, StatQuery]>([
    ["bucket", { bucket: "5m" }],
    ["groupBy", { groupBy: "merchant" }],
    ["tz", { tz: "+05:30" }],
    ["tz", { tz: "Mars/Olympus" }],
    ["from", { from: "yesterday" }],
    ["to", { to: "2026-02-30T00:00:00Z" }],
    ["from", { from: "2026-04-10T08:00:00Z", to: "2026-04-10T08:00:00Z" }],
    ["from", { from: "2016-01-01T00:00:00Z" }],
    ["from", { from: "2026-02-01T00:00:00Z", bucket: "1h" }],
    ["from", { from: "2026-03-07T00:00:00Z", to: "2026-05-01T00:00:00Z", bucket: "15m" }]
  ])("is refused by its %s: %j", (field, query) => {
    const refusal = checkStatQuery(query, now, false)
    assert.isTrue(Result.isFailure(refusal) && refusal.failure.field === field)
  })
})
