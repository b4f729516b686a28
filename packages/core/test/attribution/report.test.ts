import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Instant, type InvalidField } from "../../src/index.ts"
import { localDays, zoneOf } from "../../src/foundation/time/localDays.ts"
import { makeAttribution } from "../fixtures/AttributionWorld.ts"
import { start } from "../fixtures/World.ts"
import type { AttributionQuery } from "../../src/engagement/attribution/AttributionRequest.ts"
import type { Report } from "../../src/engagement/attribution/makeReport.ts"

const iso = (...parts: readonly [number, number, number, number?, number?]) => {
  const [year, month, day, hour = 0, minute = 0] = parts
  return Date.UTC(year, month - 1, day, hour, minute)
}

describe("the days of a time zone", () => {
  const begin = (name: string, from: number, to: number) => {
    const { begin, names } = localDays(zoneOf(name)!, from, to)
    return Object.fromEntries(names.map((day, i) => [day, Instant.toIso(begin[i]!)]))
  }

  it("start at local midnight, and the first one at the start of the span", () => {
    assert.deepStrictEqual(begin("Asia/Kolkata", iso(2030, 1, 1, 18), iso(2030, 1, 3, 18, 31)), {
      "2030-01-01": "2030-01-01T18:00:00.000Z",
      "2030-01-02": "2030-01-01T18:30:00.000Z",
      "2030-01-03": "2030-01-02T18:30:00.000Z",
      "2030-01-04": "2030-01-03T18:30:00.000Z"
    })
    assert.deepStrictEqual(begin("UTC", iso(2030, 1, 1), iso(2030, 1, 2)), { "2030-01-01": "2030-01-01T00:00:00.000Z" })
    assert.deepStrictEqual(begin("UTC", start, start), {})
  })

  it("have 23 or 25 hours at clock changes, start at one where midnight is skipped, or do not exist at all", () => {
    assert.deepStrictEqual(begin("Europe/Berlin", iso(2025, 3, 29, 12), iso(2025, 3, 31)), {
      "2025-03-29": "2025-03-29T12:00:00.000Z",
      "2025-03-30": "2025-03-29T23:00:00.000Z",
      "2025-03-31": "2025-03-30T22:00:00.000Z"
    })
    // Clocks move from 0:00 to 1:00 in spring, and from 24:00 back to 23:00 in autumn.
    assert.strictEqual(
      begin("America/Sao_Paulo", iso(2018, 11, 3, 12), iso(2018, 11, 5))["2018-11-04"],
      "2018-11-04T03:00:00.000Z"
    )
    assert.strictEqual(
      begin("America/Sao_Paulo", iso(2018, 2, 17, 12), iso(2018, 2, 19))["2018-02-18"],
      "2018-02-18T03:00:00.000Z"
    )
    const samoa = begin("Pacific/Apia", iso(2011, 12, 30, 0), iso(2011, 12, 31, 12))
    assert.strictEqual(samoa["2011-12-30"], samoa["2011-12-31"])
  })

  it("require a zone of the IANA database", () => {
    for (const name of ["UTC", "Asia/Kolkata", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])
      assert.isNotNull(zoneOf(name))
    for (const name of ["", "+05:30", "05:30", "IST!", "Asia/Nowhere", " UTC", "UTC\0", "x".repeat(500)]) {
      assert.isNull(zoneOf(name), name)
    }
  })
})

describe("an attribution report", () => {
  it.effect("covers the last 30 days by default, and refuses an invalid span", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution({ idle: true })
      const report = (query: AttributionQuery) => world.attribution.report(world.live, query)
      const oldest = Instant.toIso(iso(2029, 12, 9))
      yield* world.launch({ occurredAt: oldest, utm: { source: "in" } })
      yield* world.launch({ occurredAt: Instant.toIso(iso(2029, 12, 8, 23, 59)), utm: { source: "out" } })
      assert.deepStrictEqual(
        (yield* report({})).items.map(({ day, source }) => [day, source]),
        [["2029-12-09", "in"]]
      )
      const time = "must be a time in ISO 8601, such as 2026-01-31T09:30:00.000Z"
      const refusals: ReadonlyArray<readonly [AttributionQuery, string]> = [
        [{ model: "linear" }, "model: must be one of last, first"],
        [{ tz: "+05:30" }, "tz: must be an IANA time zone such as Asia/Kolkata"],
        [{ from: "2029-12-09" }, `from: ${time}`],
        [{ to: "now" }, `to: ${time}`],
        [{ from: oldest, to: oldest }, "from: must be before to"],
        [{ from: "2028-01-01T00:00:00Z", to: "2029-03-01T00:00:00Z" }, "from: must be at most 400 days before to"],
        [{ cursor: "nonsense" }, "cursor: must be the nextCursor of the previous page"]
      ]
      for (const [query, expected] of refusals) {
        const { field, problem } = (yield* Effect.flip(report(query))) as InvalidField
        assert.strictEqual(`${field}: ${problem}`, expected)
      }
    })
  )

  it.effect("continues after a thousand rows, in any script, for its own environment only", () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution({ idle: true })
      const long = "न".repeat(196)
      for (let i = 0; i < 1_205; i++) {
        const word = `${long}${1_000 + i}`
        const occurredAt = Instant.toIso(start - (i % 3) * 86_400_000)
        yield* world.launch({ utm: { source: word, medium: word, campaign: word }, occurredAt })
      }
      const query = { from: Instant.toIso(start - 9 * 86_400_000) }
      const pages: Array<Report> = [yield* world.attribution.report(world.live, query)]
      const cursor = pages[0]!.nextCursor
      assert.isNotNull(cursor)
      pages.push(yield* world.attribution.report(world.live, { ...query, cursor }))
      assert.deepStrictEqual(
        pages.map(({ items }) => items.length),
        [1_000, 205]
      )
      assert.isNull(pages[1]!.nextCursor)
      const rows = pages.flatMap(({ items }) => items.map(({ day, source }) => `${day} ${source}`))
      assert.deepStrictEqual(rows, [...new Set(rows)].sort())
      // The days of the cursor are over, or have not begun.
      const later = { from: Instant.toIso(start + 86_400_000), to: Instant.toIso(start + 2 * 86_400_000), cursor }
      assert.deepStrictEqual(yield* world.attribution.report(world.live, later), { items: [], nextCursor: null })
      for (const [caller, more] of [
        [world.test, {}],
        [world.live, { model: "first" }],
        [world.live, { tz: "Asia/Tokyo" }]
      ] as const) {
        const refused = yield* Effect.flip(world.attribution.report(caller, { ...query, ...more, cursor }))
        assert.strictEqual((refused as InvalidField).field, "cursor")
      }
    })
  )
})
