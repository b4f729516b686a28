import type { Span } from "./span.ts"

/** Fields of a series point used here. */
export interface Point {
  readonly at: string
  readonly asked: number
  readonly sent: number
  readonly delivered: number
  readonly verified: number
  readonly resent: number
  readonly fallbacks: number
  readonly oneTap: number
  readonly refused: number
}
type Count = Exclude<keyof Point, "at">
export type Counts = { readonly [C in Count]: number }

const none: Counts = {
  asked: 0,
  sent: 0,
  delivered: 0,
  verified: 0,
  resent: 0,
  fallbacks: 0,
  oneTap: 0,
  refused: 0
}
const names = Object.keys(none) as ReadonlyArray<Count>

export const sumOf = (points: ReadonlyArray<Point>): Counts =>
  points.reduce<Counts>(
    (sum, point) => Object.fromEntries(names.map((name) => [name, sum[name] + point[name]])) as Counts,
    none
  )

/** Points that had ended by a moment. A running point is incomplete and compares with nothing. */
const over = (points: ReadonlyArray<Point>, moment: Date, step: number) =>
  points.filter(({ at }) => Date.parse(at) + step <= moment.getTime())

export interface Compared {
  /** Totals including the running quarter hour. */
  readonly now: Counts
  /** Totals of the points that both periods have completed. */
  readonly whole: Counts
  readonly before: Counts
}

/** Totals of a range, and of the previous range up to the same time of day. */
export const compare = (span: Span, now: ReadonlyArray<Point>, before: ReadonlyArray<Point> | null): Compared => ({
  now: sumOf(now),
  whole: sumOf(over(now, span.to, span.step)),
  before: sumOf(over(before ?? [], span.before.until, span.step))
})

/** Share of requests that were verified, or null without requests. */
export const conversion = ({ asked, verified }: Pick<Counts, "asked" | "verified">): number | null =>
  asked === 0 ? null : verified / asked

export interface Drawing {
  readonly at: ReadonlyArray<string>
  readonly now: ReadonlyArray<number | null>
  readonly before: ReadonlyArray<number | null>
}

/**
 * Both series on one axis. A line that ends within a running quarter hour always drops there, so that point is omitted
 * unless it is the only one.
 */
export const drawn = (span: Span, now: ReadonlyArray<Point>, before: ReadonlyArray<Point> | null): Drawing => {
  const wholePeriod = over(now, span.to, span.step)
  const visible = wholePeriod.some(({ verified }) => verified > 0) ? wholePeriod : now
  const then = before ?? []
  const length = Math.max(visible.length, span.range === "today" ? then.length : 0)
  const begin = span.from.getTime()
  const indices = Array.from({ length }, (_, index) => index)
  return {
    at: indices.map((index) => visible[index]?.at ?? new Date(begin + index * span.step).toISOString()),
    now: indices.map((index) => visible[index]?.verified ?? null),
    before: indices.map((index) => then[index]?.verified ?? null)
  }
}

export interface Quantiles {
  readonly p50: number
  readonly p95: number
}

/** A row of the comparison. */
export interface Row {
  readonly group: string | null
  readonly asked: number
  readonly sent: number
  readonly delivered: number
  readonly verified: number
  readonly toDeliver: Quantiles | null
  readonly costPerVerified: number | null
}

interface Grouped<T> {
  readonly items: ReadonlyArray<T & { readonly group: string | null }>
}

/** Joins three answers by group, largest first. A group that appears only in the spend is still a row. */
export const rowsOf = (
  funnel: Grouped<Pick<Counts, "asked" | "sent" | "delivered" | "verified">>,
  latency: Grouped<{ readonly toDeliver: Quantiles | null }> | null,
  spend: Grouped<{ readonly costPerVerified: number | null }> | null
): ReadonlyArray<Row> =>
  funnel.items
    .map(({ asked, delivered, group, sent, verified }) => ({
      group,
      asked,
      sent,
      delivered,
      verified,
      toDeliver: latency?.items.find((item) => item.group === group)?.toDeliver ?? null,
      costPerVerified: spend?.items.find((item) => item.group === group)?.costPerVerified ?? null
    }))
    .filter(({ asked, sent }) => asked > 0 || sent > 0)
    .sort((a, b) => b.asked - a.asked || b.sent - a.sent)
