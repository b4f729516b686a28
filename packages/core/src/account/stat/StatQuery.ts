import { Result } from "effect"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { days, fromIso, hours, type Instant } from "../../foundation/time/Instant.ts"
import { localDays, midnight, type Zone, zoneOf } from "../../foundation/time/localDays.ts"
import { day, quarter, type StatSpan } from "./StatBucket.ts"

/** What somebody asks to see, as they say it. */
export interface StatQuery {
  /** ISO 8601, and in it; the beginning of the 30th local day before when it is absent. */
  readonly from?: string | null | undefined
  /** ISO 8601, and not in it; now when it is absent. */
  readonly to?: string | null | undefined
  /** `15m`, `1h` or `1d`, which is a day of `tz`. */
  readonly bucket?: string | null | undefined
  /** A time zone of the IANA database; `UTC` when it is absent. */
  readonly tz?: string | null | undefined
  /** `channel`, `country`, `path`, `template` or `carrier`. */
  readonly groupBy?: string | null | undefined
}

export const statBuckets = ["15m", "1h", "1d"] as const
export type StatPoint = (typeof statBuckets)[number]
export const dimensions = ["channel", "country", "path", "template", "carrier"] as const
export type Dimension = (typeof dimensions)[number]

/** A part of time that sums are wanted for. */
export interface Point {
  /** What it is called: the beginning of its quarter hour, hour or day. */
  readonly at: Instant
  /** From when on it counts: later than `at` for the first of them. */
  readonly from: Instant
}

/** A stretch of time whose sums are read from buckets of one kind. */
export interface Stretch {
  readonly span: StatSpan
  readonly from: Instant
  readonly to: Instant
}

/** What is asked for, once it is known to be right. */
export interface Asked {
  readonly bucket: StatPoint
  readonly groupBy: Dimension | null
  /** The earliest first, without a gap; empty when nothing can be in the time asked for. */
  readonly points: ReadonlyArray<Point>
  readonly stretches: ReadonlyArray<Stretch>
}

const invalid = (field: string, problem: string) => Result.fail(new InvalidField({ field, problem }))

/** Quarter hours are kept so long, and always for whole days of UTC. */
const quartersKept = days(35)
const mostPoints = 3_400
const usualDays = 30
/** What one statement reads: it must not keep others waiting. */
const atOnce: { readonly [S in StatSpan]: number } = { QUARTER: days(4), DAY: days(300) }

const up = (at: Instant, unit: number) => Math.ceil(at / unit) * unit
const down = (at: Instant, unit: number) => Math.floor(at / unit) * unit

/** The local hours of a day. Where its clocks are changed, each quarter hour is asked for its hour. */
const hoursOf = (zone: Zone, from: Instant, to: Instant): ReadonlyArray<Instant> => {
  if (to - from === day) return Array.from({ length: 24 }, (_, hour) => from + hour * hours(1))
  const minuteOf = (at: Instant) => Number(zone.formatToParts(at).find(({ type }) => type === "minute")?.value ?? 0)
  const quarters = Array.from({ length: (to - from) / quarter }, (_, index) => from + index * quarter)
  return quarters.filter((at, index) => index === 0 || minuteOf(at) === 0)
}

/** When each local day of a time begins, the first of them whole, and the end of the last. */
const daysOf = (zone: Zone, from: Instant, to: Instant): ReadonlyArray<Instant> => {
  const [first = from, ...rest] = localDays(zone, midnight(zone, from), to).begin
  return [first, ...rest, midnight(zone, to - 1, 1)]
}

const beginningsOf = (zone: Zone, bucket: StatPoint, from: Instant, to: Instant): ReadonlyArray<Instant> => {
  if (bucket === "15m") return Array.from({ length: (to - from) / quarter }, (_, index) => from + index * quarter)
  const begin = daysOf(zone, from, to)
  if (bucket === "1d") return begin.slice(0, -1)
  return begin.slice(0, -1).flatMap((at, index) => hoursOf(zone, at, begin[index + 1]!))
}

const pointsOf = (zone: Zone, bucket: StatPoint, from: Instant, to: Instant): ReadonlyArray<Point> => {
  if (from >= to) return []
  const begin = beginningsOf(zone, bucket, from, to)
  return begin.flatMap((at, index) => {
    const end = begin[index + 1] ?? to
    return at < to && end > from ? [{ at, from: Math.max(at, from) }] : []
  })
}

const chunks = ({ from, span, to }: Stretch): ReadonlyArray<Stretch> =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / atOnce[span])) }, (_, index) => ({
    span,
    from: from + index * atOnce[span],
    to: Math.min(to, from + (index + 1) * atOnce[span])
  }))

/** Of a time that is one point the days of UTC that are whole, else quarter hours. */
const stretchesOf = (points: ReadonlyArray<Point>, to: Instant): ReadonlyArray<Stretch> => {
  const all: Array<Stretch> = []
  const put = (span: StatSpan, from: Instant, to: Instant) => {
    const last = all.at(-1)
    if (from >= to) return
    if (last?.span === span && last.to === from) all[all.length - 1] = { ...last, to }
    else all.push({ span, from, to })
  }
  for (const [index, { from }] of points.entries()) {
    const end = points[index + 1]?.from ?? to
    const [first, last] = [up(from, day), down(end, day)]
    if (first >= last) put("QUARTER", from, end)
    else {
      put("QUARTER", from, first)
      put("DAY", first, last)
      put("QUARTER", last, end)
    }
  }
  return all.flatMap(chunks)
}

const checkTime = (field: string, given: string | null | undefined): Result.Result<Instant | null, InvalidField> => {
  if (given == null) return Result.succeed(null)
  const at = fromIso(given)
  return at === null
    ? invalid(field, "must be a time in ISO 8601, such as 2026-01-31T09:30:00.000Z")
    : Result.succeed(at)
}

/**
 * Checks what is asked for. `whole` is one point of all the time. A quarter hour is in it when it begins in it; of the time
 * whose quarter hours are not kept any more, days of UTC stand for local days, and one is in it when it begins in it.
 */
export const checkStatQuery = (query: StatQuery, now: Instant, whole: boolean): Result.Result<Asked, InvalidField> =>
  Result.gen(function* () {
    const bucket = statBuckets.find((known) => known === (query.bucket ?? "1d"))
    if (bucket === undefined) return yield* invalid("bucket", `must be one of ${statBuckets.join(", ")}`)
    const groupBy = query.groupBy == null ? null : dimensions.find((known) => known === query.groupBy)
    if (groupBy === undefined) return yield* invalid("groupBy", `must be one of ${dimensions.join(", ")}`)
    const zone = zoneOf(query.tz ?? "UTC")
    if (zone === null) return yield* invalid("tz", "must be a time zone of the IANA database, as Asia/Kolkata")
    // What started in this very millisecond is in it.
    const to = (yield* checkTime("to", query.to)) ?? now + 1
    const from = (yield* checkTime("from", query.from)) ?? midnight(zone, to - 1, 1 - usualDays)
    if (from >= to) return yield* invalid("from", "must be before to")
    const kept = down(now - quartersKept, day)
    const isFine = !whole && bucket !== "1d"
    if (isFine && from < kept) {
      return yield* invalid("from", "must be at most 35 days ago for this bucket: what is older is kept by the day, 1d")
    }
    const size = whole || bucket === "1d" ? day : bucket === "1h" ? hours(1) : quarter
    if ((to - from) / size > mostPoints) {
      return yield* invalid("from", `must be nearer to to: at most ${mostPoints} points are answered`)
    }
    // The part whose quarter hours are gone, and the other.
    const old = { from: up(from, day), to: Math.min(kept, up(to, day)) }
    const recent = { from: Math.max(kept, up(from, quarter)), to: up(Math.max(to, kept), quarter) }
    const oldDays = Array.from({ length: Math.max(0, (old.to - old.from) / day) }, (_, i) => old.from + i * day)
    const begin = oldDays.length > 0 ? old.from : recent.from
    const end = recent.from < recent.to ? recent.to : old.to
    if (begin >= end) return { bucket, groupBy, points: [], stretches: [] }
    const points = whole
      ? [{ at: begin, from: begin }]
      : [...oldDays.map((at) => ({ at, from: at })), ...pointsOf(zone, bucket, recent.from, recent.to)]
    // Nothing has begun tomorrow, whichever process's clock is ahead.
    const stretches = stretchesOf(points, end).filter(({ from }) => from <= now + day)
    return { bucket, groupBy, points, stretches }
  })
