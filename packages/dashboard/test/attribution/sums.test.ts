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
  it("are those of all days of a campaign, with amounts exact and apart by currency", () => {
    const [google, mail, nobody] = sumsOf(rows, "campaign")
    assert.deepStrictEqual([google!.launches, google!.values], [20, [{ currency: "INR", value: 0.3 }]])
    assert.deepStrictEqual([mail!.medium, mail!.values], ["mail", [{ currency: "NPR", value: 7 }]])
    assert.deepStrictEqual([nobody!.source, nobody!.launches], [null, 100])
  })

  it("are as many in all, by whatever they are added up", () => {
    const { conversions, launches, verifications } = totalOf(rows)
    assert.deepStrictEqual([launches, verifications, conversions], [121, 12, 4])
    for (const by of ["campaign", "source", "medium", "day"] as const)
      assert.strictEqual(
        sumsOf(rows, by).reduce((sum, each) => sum + each.launches, 0),
        launches
      )
  })

  it("what nobody said is not the word for it", () => {
    assert.strictEqual(sumsOf([...rows, row("2026-01-31", "null", null)], "source").length, 3)
  })
})

describe("the order of sums", () => {
  const order = (sort: Parameters<typeof sorted>[1], isReversed = false) =>
    sorted(sumsOf(rows, "source"), sort, isReversed).map(({ source }) => source)

  it("begins with the largest figure, or with the first name, and what nobody said is last", () => {
    assert.deepStrictEqual(order("launches"), [null, "google"])
    assert.deepStrictEqual(order("rate"), ["google", null])
    assert.deepStrictEqual(order("worth"), ["google", null])
    assert.deepStrictEqual(order("name"), ["google", null])
  })

  it("can be turned round", () => {
    assert.deepStrictEqual(order("launches", true), ["google", null])
    assert.deepStrictEqual(order("name", true), [null, "google"])
  })
})

describe("days of attribution", () => {
  it("are all there, also those on which nobody came", () => {
    const days = daysOf(rows, new Date(2026, 0, 29), new Date(2026, 1, 1))
    assert.deepStrictEqual(
      days.map(({ launches }) => launches),
      [0, 10, 111]
    )
  })
})
