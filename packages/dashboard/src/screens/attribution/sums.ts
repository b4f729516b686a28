import type { Item } from "../../api/Api.ts"

export type Reported = Item<"GET /v1/dashboard/attribution">

/** Grouping of rows. `campaign` includes source and medium, because only together they identify a campaign. */
export const bys = ["campaign", "source", "medium", "day"] as const
export type By = (typeof bys)[number]

const counted = ["launches", "verifications", "conversions", "leads"] as const
export type Counted = (typeof counted)[number]

export interface Worth {
  readonly currency: string | null
  readonly value: number
}

/** Totals of one group or day. */
export interface Sum extends Readonly<Record<Counted, number>> {
  readonly id: string
  readonly day: string | null
  readonly source: string | null
  readonly medium: string | null
  readonly campaign: string | null
  readonly values: ReadonlyArray<Worth>
}

const nowhere = { day: null, source: null, medium: null, campaign: null }

/** The fields used of a row. */
const keyOf = ({ campaign, day, medium, source }: Reported, by: By): Pick<Sum, keyof typeof nowhere> => {
  switch (by) {
    case "campaign":
      return { ...nowhere, source, medium, campaign }
    case "source":
      return { ...nowhere, source }
    case "medium":
      return { ...nowhere, medium }
    case "day":
      return { ...nowhere, day }
  }
}

/** Amounts have at most six decimals. More come from floating-point addition. */
const exact = (value: number) => Math.round(value * 1e6) / 1e6

const together = (some: ReadonlyArray<Worth>, more: ReadonlyArray<Worth>): ReadonlyArray<Worth> => {
  if (more.length === 0) return some
  const sums = new Map(some.map(({ currency, value }) => [currency, value]))
  for (const { currency, value } of more) sums.set(currency, exact((sums.get(currency) ?? 0) + value))
  return [...sums].map(([currency, value]) => ({ currency, value }))
}

/** A mutable total, to avoid allocating an object for each of ten thousand rows. */
type Growing = { -readonly [F in keyof Sum]: Sum[F] }

const add = (sum: Growing, row: Readonly<Record<Counted, number>> & Pick<Sum, "values">): void => {
  for (const name of counted) sum[name] += row[name]
  sum.values = together(sum.values, row.values)
}

const zero = { ...nowhere, launches: 0, verifications: 0, conversions: 0, leads: 0, values: [] }

export const sumsOf = (rows: ReadonlyArray<Reported>, by: By): ReadonlyArray<Sum> => {
  const sums = new Map<string, Growing>()
  for (const row of rows) {
    const key = keyOf(row, by)
    const id = JSON.stringify([key.day, key.source, key.medium, key.campaign])
    let sum = sums.get(id)
    if (sum === undefined) sums.set(id, (sum = { ...zero, ...key, id }))
    add(sum, row)
  }
  return [...sums.values()]
}

export const totalOf = (rows: ReadonlyArray<Reported>): Sum => {
  const total: Growing = { ...zero, id: "total" }
  for (const row of rows) add(total, row)
  return total
}

/** Sort keys: name, a count, the share of verified launches, or the value. */
export const sorts = ["name", ...counted, "rate", "worth"] as const
export type Sort = (typeof sorts)[number]

export const rateOf = ({ launches, verifications }: Pick<Sum, "launches" | "verifications">): number =>
  launches === 0 ? 0 : verifications / launches

/** The part of a name that identifies the group. Unset values sort last. */
const nameOf = ({ campaign, day, medium, source }: Sum) =>
  [day, source, medium, campaign].map((part) => part ?? "\uffff").join("\u0000")

const figureOf = (sum: Sum, sort: Exclude<Sort, "name">): number => {
  if (sort === "rate") return rateOf(sum)
  // Amounts in different currencies cannot be compared, so they sort by number.
  if (sort === "worth") return Math.max(0, ...sum.values.map(({ value }) => value))
  return sum[sort]
}

const alphabet = new Intl.Collator()

/** Numbers sort descending, names alphabetically, or reversed. Ties sort by name. */
export const sorted = (sums: ReadonlyArray<Sum>, sort: Sort, isReversed: boolean): ReadonlyArray<Sum> => {
  const sign = isReversed ? -1 : 1
  return sums
    .map((sum) => ({ sum, name: nameOf(sum), figure: sort === "name" ? 0 : figureOf(sum, sort) }))
    .sort((one, other) => {
      if (sort !== "name" && one.figure !== other.figure) return sign * (other.figure - one.figure)
      return (sort === "name" ? sign : 1) * alphabet.compare(one.name, other.name)
    })
    .map(({ sum }) => sum)
}

/** `2026-01-31` as midnight in the viewer's time zone, for the chart. */
export const midnightOf = (day: string) => {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number)
  return new Date(year, month - 1, date)
}

/** All days from the first requested day to today, including empty ones. */
export const daysOf = (rows: ReadonlyArray<Reported>, from: Date, to: Date) => {
  const sums = new Map(sumsOf(rows, "day").map((sum) => [midnightOf(sum.day ?? "").getTime(), sum]))
  const days: Array<{ readonly at: string; readonly launches: number; readonly verifications: number }> = []
  for (
    let day = new Date(from.getFullYear(), from.getMonth(), from.getDate());
    day < to;
    day = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1)
  ) {
    const { launches = 0, verifications = 0 } = sums.get(day.getTime()) ?? {}
    days.push({ at: day.toISOString(), launches, verifications })
  }
  return days
}
