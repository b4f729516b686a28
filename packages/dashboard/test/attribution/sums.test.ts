import { assert, describe, it } from "vitest"
import { daysOf, type Reported, sorted, sumsOf, totalOf } from "../../src/screens/attribution/sums.ts"

const row = (day: string, source: string | null, medium: string | null, given: Partial<Reported> = {}): Reported => ({
  day,
  source,
  medium,
  campaign: null,
  launches: 10,
  verifications: 4,
  conversions: 1,
  leads: 0,
  values: [],
  ...given
})
const rows = [
  row("2026-01-30", "google", "cpc", { values: [{ currency: "INR", value: 0.1 }] }),
  row("2026-01-31", "google", "cpc", { values: [{ currency: "INR", value: 0.2 }] }),
  row("2026-01-31", "google", "mail", { launches: 1, values: [{ currency: "NPR", value: 7 }] }),
  row("2026-01-31", null, null, { launches: 100, verifications: 0 })
]

describe("sums of attribution", () => {
  it("cover all days of a campaign, with exact amounts per currency", () => {
    const [google, mail, unset] = sumsOf(rows, "campaign")
    assert.deepStrictEqual([google!.launches, google!.values], [20, [{ currency: "INR", value: 0.3 }]])
    assert.deepStrictEqual([mail!.medium, mail!.values], ["mail", [{ currency: "NPR", value: 7 }]])
    assert.deepStrictEqual([unset!.source, unset!.launches], [null, 100])
  })

  it("have the same total in every grouping", () => {
    const { conversions, launches, verifications } = totalOf(rows)
    assert.deepStrictEqual([launches, verifications, conversions], [121, 12, 4])
    for (const by of ["campaign", "source", "medium", "day"] as const)
      assert.strictEqual(
        sumsOf(rows, by).reduce((sum, each) => sum + each.launches, 0),
        launches
      )
  })

  it("an unset value differs from its label as a value", () => {
    assert.strictEqual(sumsOf([...rows, row("2026-01-31", "null", null)], "source").length, 3)
  })
})

describe("the order of sums", () => {
  const order = (sort: Parameters<typeof sorted>[1], isReversed = false) =>
    sorted(sumsOf(rows, "source"), sort, isReversed).map(({ source }) => source)

  it("sorts numbers descending and names alphabetically, with unset values last", () => {
    assert.deepStrictEqual(order("launches"), [null, "google"])
    assert.deepStrictEqual(order("rate"), ["google", null])
    assert.deepStrictEqual(order("worth"), ["google", null])
    assert.deepStrictEqual(order("name"), ["google", null])
  })

  it("can be reversed", () => {
    assert.deepStrictEqual(order("launches", true), ["google", null])
    assert.deepStrictEqual(order("name", true), [null, "google"])
  })
})

describe("days of attribution", () => {
  it("include days without launches", () => {
    const days = daysOf(rows, new Date(2026, 0, 29), new Date(2026, 1, 1))
    assert.deepStrictEqual(
      days.map(({ launches }) => launches),
      [0, 10, 111]
    )
  })
})
