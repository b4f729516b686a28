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

type Converted = Pick<Counts, "asked" | "verified">

/** What is said about a conversion against the period before. */
export type Verdict = "higher" | "same" | "lower" | "few"

/** Fewer requests compare with nothing. */
const leastToCompare = 20
/** Smaller differences are likely chance. */
const leastErrors = 2

/** Compares two conversions. A difference counts only if chance alone does not explain it. */
export const verdictOf = (now: Converted, before: Converted): Verdict => {
  const [share, was] = [conversion(now), conversion(before)]
  if (share === null || was === null || now.asked < leastToCompare || before.asked < leastToCompare) return "few"
  const both = Math.min(1, (now.verified + before.verified) / (now.asked + before.asked))
  const error = Math.sqrt(both * (1 - both) * (1 / now.asked + 1 / before.asked))
  if (Math.abs(share - was) < leastErrors * error || share === was) return "same"
  return share > was ? "higher" : "lower"
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
  /** The change of its conversion, and whether it says anything. */
  readonly moved: number
  readonly verdict: Verdict
  readonly toDeliver: Quantiles | null
  readonly costPerVerified: number | null
}

interface Grouped<T> {
  readonly items: ReadonlyArray<T & { readonly group: string | null }>
}

const movedOf = (now: Converted, then: Converted = { asked: 0, verified: 0 }): Pick<Row, "moved" | "verdict"> => ({
  moved: (conversion(now) ?? 0) - (conversion(then) ?? 0),
  verdict: verdictOf(now, then)
})

/** Joins the answers by group, largest first. A group that appears only in the spend is still a row. */
export const rowsOf = (
  funnel: Grouped<Pick<Counts, "asked" | "sent" | "delivered" | "verified">>,
  latency: Grouped<{ readonly toDeliver: Quantiles | null }> | null,
  spend: Grouped<{ readonly costPerVerified: number | null }> | null,
  before: Grouped<Pick<Counts, "asked" | "verified">> | null = null
): ReadonlyArray<Row> =>
  funnel.items
    .map(({ asked, delivered, group, sent, verified }) => ({
      group,
      asked,
      sent,
      delivered,
      verified,
      ...movedOf(
        { asked, verified },
        before?.items.find((item) => item.group === group)
      ),
      toDeliver: latency?.items.find((item) => item.group === group)?.toDeliver ?? null,
      costPerVerified: spend?.items.find((item) => item.group === group)?.costPerVerified ?? null
    }))
    .filter(({ asked, sent }) => asked > 0 || sent > 0)
    .sort((a, b) => b.asked - a.asked || b.sent - a.sent)

/** Fewer samples give no quantile worth a look. */
export const leastOfQuantiles = 20

const mostOfSpark = 32

/** The conversion over time in at most 32 steps. A step without requests is null. */
export const sparkOf = (span: Span, points: ReadonlyArray<Point>): ReadonlyArray<number | null> => {
  const whole = over(points, span.to, span.step)
  const size = Math.max(1, Math.ceil(whole.length / mostOfSpark))
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, n) =>
    conversion(sumOf(whole.slice(n * size, (n + 1) * size)))
  )
}

export const lossKinds = ["notSent", "notDelivered", "unused", "noAttempts", "wrongNumber", "notConfirmed"] as const
export type LossKind = (typeof lossKinds)[number]

const lossOf: { readonly [code: string]: LossKind } = {
  NOT_SENT: "notSent",
  NOT_DELIVERED: "notDelivered",
  NO_RECEIPT: "unused",
  DELIVERED_UNUSED: "unused",
  SENT_UNUSED: "unused",
  NO_ATTEMPTS_LEFT: "noAttempts",
  WRONG_NUMBER: "wrongNumber",
  NOT_CONFIRMED: "notConfirmed"
}

interface Lost {
  readonly losses: ReadonlyArray<{ readonly code: string; readonly count: number }>
}

/** How many verifications were lost in each way, in the order of a login. Ways without a loss are left out. */
export const lossesOf = (
  items: ReadonlyArray<Lost>
): ReadonlyArray<{ readonly kind: LossKind; readonly count: number }> => {
  const sums = new Map<LossKind, number>()
  for (const { code, count } of items.flatMap(({ losses }) => losses)) {
    const kind = lossOf[code]
    if (kind !== undefined) sums.set(kind, (sums.get(kind) ?? 0) + count)
  }
  return lossKinds.flatMap((kind) => (sums.has(kind) ? [{ kind, count: sums.get(kind)! }] : []))
}

/** Sums over the groups of a comparison. */
export interface Totals {
  readonly losses: ReturnType<typeof lossesOf>
  readonly currency: string
  /** Null when no message had a price. */
  readonly amount: number | null
}

export const totalsOf = (
  counts: ReadonlyArray<Lost>,
  { currency, items }: { readonly currency: string; readonly items: ReadonlyArray<{ readonly amount: number | null }> }
): Totals => {
  const amounts = items.flatMap(({ amount }) => amount ?? [])
  return {
    losses: lossesOf(counts),
    currency,
    amount: amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0)
  }
}
