import { Result } from "effect"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { days, fromIso, hours, type Instant } from "../../foundation/time/Instant.ts"
import { localDays, midnight, type Zone, zoneOf } from "../../foundation/time/localDays.ts"
import { day, quarter, type StatSpan } from "./StatBucket.ts"

/** A statistics query as the caller sends it. */
export interface StatQuery {
  /** ISO 8601, inclusive. The default is the start of the local day 30 days ago. */
  readonly from?: string | null | undefined
  /** ISO 8601, exclusive. The default is now. */
  readonly to?: string | null | undefined
  /** `15m`, `1h` or `1d`, which is a day of `tz`. */
  readonly bucket?: string | null | undefined
  /** A time zone of the IANA database. The default is `UTC`. */
  readonly tz?: string | null | undefined
  /** `channel`, `country`, `path`, `template` or `carrier`. */
  readonly groupBy?: string | null | undefined
}

export const statBuckets = ["15m", "1h", "1d"] as const
export type StatPoint = (typeof statBuckets)[number]
export const dimensions = ["channel", "country", "path", "template", "carrier"] as const
export type Dimension = (typeof dimensions)[number]

/** A time span to sum. */
export interface Point {
  /** Its name: the beginning of its quarter hour, hour or day. */
  readonly at: Instant
  /** The start of the counted time. The first point may start later than `at`. */
  readonly from: Instant
}

/** A time span whose sums come from buckets of one kind. */
export interface Stretch {
  readonly span: StatSpan
  readonly from: Instant
  readonly to: Instant
}

/** A validated query. */
export interface Asked {
  readonly bucket: StatPoint
  readonly groupBy: Dimension | null
  /** Earliest first, without a gap; empty when the time range cannot contain anything. */
  readonly points: ReadonlyArray<Point>
  readonly stretches: ReadonlyArray<Stretch>
}

const invalid = (field: string, problem: Problem.Problem) => Result.fail(invalidField(field, problem))

/** How long quarter hours are kept, always for whole UTC days. */
const quartersKept = days(35)
const mostPoints = 3_400
const usualDays = 30
/** The limit of a single statement, so that it does not delay others. */
const atOnce: { readonly [S in StatSpan]: number } = { QUARTER: days(4), DAY: days(300) }

const up = (at: Instant, unit: number) => Math.ceil(at / unit) * unit
const down = (at: Instant, unit: number) => Math.floor(at / unit) * unit

/** The local hours of a day. Where clocks change, each quarter hour is mapped to its hour. */
const hoursOf = (zone: Zone, from: Instant, to: Instant): ReadonlyArray<Instant> => {
  if (to - from === day) return Array.from({ length: 24 }, (_, hour) => from + hour * hours(1))
  const minuteOf = (at: Instant) => Number(zone.formatToParts(at).find(({ type }) => type === "minute")?.value ?? 0)
  const quarters = Array.from({ length: (to - from) / quarter }, (_, index) => from + index * quarter)
  return quarters.filter((at, index) => index === 0 || minuteOf(at) === 0)
}

/** The beginnings of the local days of a time range, the first of them whole, and the end of the last. */
const daysOf = (zone: Zone, from: Instant, to: Instant): ReadonlyArray<Instant> => {
  const [first = from, ...laterDays] = localDays(zone, midnight(zone, from), to).begin
  return [first, ...laterDays, midnight(zone, to - 1, 1)]
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

/** Splits a single-point range into whole UTC days, and quarter hours at its ends. */
const stretchesOf = (points: ReadonlyArray<Point>, to: Instant): ReadonlyArray<Stretch> => {
  const stretches: Array<Stretch> = []
  const put = (span: StatSpan, from: Instant, to: Instant) => {
    const last = stretches.at(-1)
    if (from >= to) return
    if (last?.span === span && last.to === from) stretches[stretches.length - 1] = { ...last, to }
    else stretches.push({ span, from, to })
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
  return stretches.flatMap(chunks)
}

const checkTime = (field: string, text: string | null | undefined): Result.Result<Instant | null, InvalidField> => {
  if (text == null) return Result.succeed(null)
  const at = fromIso(text)
  return at === null ? invalid(field, Problem.of("TIME")) : Result.succeed(at)
}

/**
 * Validates a query. `asSinglePoint` makes a single point of the entire range. A quarter hour counts when it begins in the
 * range. Where quarter hours are no longer kept, UTC days stand for local days, and a day counts when it begins in the
 * range.
 */
export const checkStatQuery = (
  query: StatQuery,
  now: Instant,
  asSinglePoint: boolean
): Result.Result<Asked, InvalidField> =>
  Result.gen(function* () {
    const bucket = statBuckets.find((candidate) => candidate === (query.bucket ?? "1d"))
    if (bucket === undefined) return yield* invalid("bucket", Problem.of("ONE_OF", { values: statBuckets.join(", ") }))
    const groupBy = query.groupBy == null ? null : dimensions.find((candidate) => candidate === query.groupBy)
    if (groupBy === undefined) return yield* invalid("groupBy", Problem.of("ONE_OF", { values: dimensions.join(", ") }))
    const zone = zoneOf(query.tz ?? "UTC")
    if (zone === null) return yield* invalid("tz", Problem.of("TIME_ZONE"))
    // Includes verifications that started in this very millisecond.
    const to = (yield* checkTime("to", query.to)) ?? now + 1
    const from = (yield* checkTime("from", query.from)) ?? midnight(zone, to - 1, 1 - usualDays)
    if (from >= to) return yield* invalid("from", Problem.of("BEFORE", { other: "to" }))
    const kept = down(now - quartersKept, day)
    const isFine = !asSinglePoint && bucket !== "1d"
    if (isFine && from < kept) {
      return yield* invalid("from", Problem.of("BUCKET_OLD"))
    }
    const size = asSinglePoint || bucket === "1d" ? day : bucket === "1h" ? hours(1) : quarter
    if ((to - from) / size > mostPoints) {
      return yield* invalid("from", Problem.of("POINTS", { max: mostPoints }))
    }
    // The part whose quarter hours are gone, and the rest.
    const wholeDays = { from: up(from, day), to: Math.min(kept, up(to, day)) }
    const recent = { from: Math.max(kept, up(from, quarter)), to: up(Math.max(to, kept), quarter) }
    const oldDays = Array.from(
      { length: Math.max(0, (wholeDays.to - wholeDays.from) / day) },
      (_, i) => wholeDays.from + i * day
    )
    const begin = oldDays.length > 0 ? wholeDays.from : recent.from
    const end = recent.from < recent.to ? recent.to : wholeDays.to
    if (begin >= end) return { bucket, groupBy, points: [], stretches: [] }
    const points = asSinglePoint
      ? [{ at: begin, from: begin }]
      : [...oldDays.map((at) => ({ at, from: at })), ...pointsOf(zone, bucket, recent.from, recent.to)]
    // Leaves out the future, except for one day: the clock of the process that wrote a fact may be ahead.
    const stretches = stretchesOf(points, end).filter(({ from }) => from <= now + day)
    return { bucket, groupBy, points, stretches }
  })
