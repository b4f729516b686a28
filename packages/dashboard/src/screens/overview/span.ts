/** A range in concrete times, in the viewer's zone. */
export const ranges = ["today", "24h", "7d", "30d"] as const
export type Range = (typeof ranges)[number]
export type Bucket = "15m" | "1h" | "1d"

const quarter = 15 * 60_000
const steps: Readonly<Record<Bucket, number>> = { "15m": quarter, "1h": 4 * quarter, "1d": 96 * quarter }

export interface Span {
  readonly range: Range
  readonly from: Date
  /** The current moment, so the running point is included. */
  readonly to: Date
  readonly bucket: Bucket
  /** Length of a series point in milliseconds. */
  readonly step: number
  /** The comparison period, `back` days earlier. It is drawn to the end of its day and counted up to `until`. */
  readonly before: { readonly from: Date; readonly until: Date; readonly to: Date }
}

/** The same local time some days earlier, also across a daylight saving change. */
const earlier = (at: Date, days: number): Date => {
  const moved = new Date(at)
  moved.setDate(moved.getDate() - days)
  return moved
}
const midnight = (at: Date): Date => new Date(at.getFullYear(), at.getMonth(), at.getDate())
const quarterOf = (at: Date): Date => new Date(Math.floor(at.getTime() / quarter) * quarter)

/** Length, offset of the comparison, and point size of each range. */
const shapes: Readonly<Record<Range, { readonly days: number; readonly back: number; readonly bucket: Bucket }>> = {
  today: { days: 1, back: 7, bucket: "15m" },
  "24h": { days: 1, back: 7, bucket: "15m" },
  "7d": { days: 7, back: 7, bucket: "1h" },
  "30d": { days: 30, back: 30, bucket: "1d" }
}

/** Until this hour, today says little. */
const early = 6

/** The range without a choice: today, or the last 24 hours in the night. */
export const usualRange = (now: Date): Range => (now.getHours() < early ? "24h" : "today")

export const spanOf = (range: Range, now: Date): Span => {
  const { back, bucket, days } = shapes[range]
  const from = range === "24h" ? earlier(quarterOf(now), 1) : earlier(midnight(now), days - 1)
  const until = earlier(now, back)
  const to = range === "today" ? earlier(midnight(now), back - 1) : until
  return { range, from, to: now, bucket, step: steps[bucket], before: { from: earlier(from, back), until, to } }
}
