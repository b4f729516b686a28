/** What a range of the address means now, in the viewer's own days. */
export const ranges = ["today", "24h", "7d", "30d"] as const
export type Range = (typeof ranges)[number]
export type Bucket = "15m" | "1h" | "1d"

const quarter = 15 * 60_000
const steps: Readonly<Record<Bucket, number>> = { "15m": quarter, "1h": 4 * quarter, "1d": 96 * quarter }

export interface Span {
  readonly range: Range
  readonly from: Date
  /** Now: what is not over yet is in it. */
  readonly to: Date
  readonly bucket: Bucket
  /** How long a point of the series is, in milliseconds. */
  readonly step: number
  /** What it is compared to: as long, `back` days earlier. A day is drawn to its end, and counted to `until`. */
  readonly before: { readonly from: Date; readonly until: Date; readonly to: Date }
}

/** The same time of day some days earlier, by the clock on the wall: a day of 23 hours does not move it. */
const earlier = (at: Date, days: number): Date => {
  const moved = new Date(at)
  moved.setDate(moved.getDate() - days)
  return moved
}
const midnight = (at: Date): Date => new Date(at.getFullYear(), at.getMonth(), at.getDate())
const quarterOf = (at: Date): Date => new Date(Math.floor(at.getTime() / quarter) * quarter)

/** How many days a range has, how far back it is compared, and what its points are. */
const shapes: Readonly<Record<Range, { readonly days: number; readonly back: number; readonly bucket: Bucket }>> = {
  today: { days: 1, back: 7, bucket: "15m" },
  "24h": { days: 1, back: 7, bucket: "15m" },
  "7d": { days: 7, back: 7, bucket: "1h" },
  "30d": { days: 30, back: 30, bucket: "1d" }
}

export const spanOf = (range: Range, now: Date): Span => {
  const { back, bucket, days } = shapes[range]
  const from = range === "24h" ? earlier(quarterOf(now), 1) : earlier(midnight(now), days - 1)
  const until = earlier(now, back)
  const to = range === "today" ? earlier(midnight(now), back - 1) : until
  return { range, from, to: now, bucket, step: steps[bucket], before: { from: earlier(from, back), until, to } }
}
