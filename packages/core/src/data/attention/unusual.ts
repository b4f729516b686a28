import type { Instant } from "../../foundation/time/Instant.ts"

/** Counts of a channel and country within a window. */
export interface WindowCounts {
  readonly channel: string
  /** Empty for e-mail, and for numbers that belong to no single country. */
  readonly country: string
  readonly asked: number
  readonly verified: number
  readonly sent: number
  readonly delivered: number
}

export interface Window {
  readonly from: Instant
  readonly to: Instant
}

/** A share well below its own last weeks. */
export interface LowShare {
  readonly code: "CONVERSION_LOW" | "DELIVERY_LOW"
  readonly channel: string
  readonly country: string | null
  /** The number of requests or messages in the window. */
  readonly count: number
  /** From 0 to 1. */
  readonly share: number
  readonly usual: number
}

/** Many requests from a country, few of them verified: perhaps sent for the price of the messages. */
export interface ManyStarts {
  readonly code: "STARTS_UNUSUAL"
  readonly country: string
  readonly count: number
  /** The highest count of the same hours in the last weeks. */
  readonly usual: number
  readonly share: number
}

export type Unusual = LowShare | ManyStarts

/**
 * The rule. A share is low if all of this holds:
 *
 * - The window has at least `leastNow` requests, and at least `leastWeeks` of the last weeks have `leastThen` each.
 * - The share is `belowLowest` below the lowest of these weeks.
 * - It is `leastErrors` standard errors below these weeks together. The error includes chance, and that shares move from
 *   day to day: by `dayToDay`, or as much as they did in these weeks.
 *
 * Starts are unusual if a country has at least `leastNow` requests and `manyTimes` its highest week, and at most
 * `mostVerified` of them are verified, and at most half of the usual share of all countries.
 */
export const rule = {
  leastNow: 50,
  leastThen: 30,
  leastWeeks: 2,
  belowLowest: 0.05,
  leastErrors: 4,
  dayToDay: 0.03,
  /** A channel that usually confirms fewer deliveries says little about them. */
  leastUsualDelivery: 0.2,
  manyTimes: 3,
  mostVerified: 0.3
} as const

interface Share {
  readonly of: number
  readonly hits: number
}

const together = (all: ReadonlyArray<Share>): Share =>
  all.reduce<Share>((sum, { hits, of }) => ({ of: sum.of + of, hits: sum.hits + hits }), { of: 0, hits: 0 })

// A resend or a fallback can make more hits than requests.
const ratio = ({ hits, of }: Share): number => (of === 0 ? 0 : Math.min(1, hits / of))

const spreadOf = (shares: ReadonlyArray<number>): number => {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (shares.length - 1))
}

/** The usual share if `now` is low, otherwise null. */
export const lowAgainst = (now: Share, weeks: ReadonlyArray<Share>): number | null => {
  const known = weeks.filter(({ of }) => of >= rule.leastThen)
  if (now.of < rule.leastNow || known.length < rule.leastWeeks) return null
  const then = together(known)
  const [share, usual] = [ratio(now), ratio(then)]
  const shares = known.map(ratio)
  if (share > Math.min(...shares) - rule.belowLowest) return null
  const moves = Math.max(rule.dayToDay, spreadOf(shares))
  // Both samples have the same share if nothing happened.
  const same = ratio(together([now, then]))
  const chance = same * (1 - same) * (1 / now.of + 1 / then.of)
  const error = Math.sqrt(chance + moves * moves * (1 + 1 / shares.length))
  return usual - share >= rule.leastErrors * error ? usual : null
}

type Grouping = (counts: WindowCounts) => string

const grouped = (counts: ReadonlyArray<WindowCounts>, by: Grouping): ReadonlyMap<string, WindowCounts> => {
  const sums = new Map<string, WindowCounts>()
  for (const each of counts) {
    const key = by(each)
    const sum = sums.get(key)
    sums.set(
      key,
      sum === undefined
        ? each
        : {
            ...sum,
            asked: sum.asked + each.asked,
            verified: sum.verified + each.verified,
            sent: sum.sent + each.sent,
            delivered: sum.delivered + each.delivered
          }
    )
  }
  return sums
}

const shareOf = {
  CONVERSION_LOW: ({ asked, verified }: WindowCounts): Share => ({ of: asked, hits: verified }),
  DELIVERY_LOW: ({ delivered, sent }: WindowCounts): Share => ({ of: sent, hits: delivered })
} as const

const nothing: Share = { of: 0, hits: 0 }

const lowShares = (
  now: ReadonlyArray<WindowCounts>,
  weeks: ReadonlyArray<ReadonlyArray<WindowCounts>>
): ReadonlyArray<LowShare> => {
  const by: Grouping = ({ channel, country }) => `${channel} ${country}`
  const before = weeks.map((week) => grouped(week, by))
  return [...grouped(now, by)].flatMap(([key, counts]) =>
    (["CONVERSION_LOW", "DELIVERY_LOW"] as const).flatMap((code): ReadonlyArray<LowShare> => {
      const share = shareOf[code](counts)
      const usual = lowAgainst(
        share,
        before.map((week) => {
          const then = week.get(key)
          return then === undefined ? nothing : shareOf[code](then)
        })
      )
      if (usual === null || (code === "DELIVERY_LOW" && usual < rule.leastUsualDelivery)) return []
      const { channel, country } = counts
      return [{ code, channel, country: country === "" ? null : country, count: share.of, share: ratio(share), usual }]
    })
  )
}

const manyStarts = (
  now: ReadonlyArray<WindowCounts>,
  weeks: ReadonlyArray<ReadonlyArray<WindowCounts>>
): ReadonlyArray<ManyStarts> => {
  // Without a past, everything would be unusual.
  const known = weeks.filter((week) => week.reduce((sum, { asked }) => sum + asked, 0) >= rule.leastThen)
  if (known.length < rule.leastWeeks) return []
  const by: Grouping = ({ country }) => country
  const before = known.map((week) => grouped(week, by))
  const usualShare = ratio(together(known.flat().map(shareOf.CONVERSION_LOW)))
  return [...grouped(now, by)].flatMap(([country, counts]): ReadonlyArray<ManyStarts> => {
    const usual = Math.max(...before.map((week) => week.get(country)?.asked ?? 0))
    const share = ratio(shareOf.CONVERSION_LOW(counts))
    const isMany = counts.asked >= rule.leastNow && counts.asked >= rule.manyTimes * usual
    const isIdle = share <= rule.mostVerified && share <= usualShare / 2
    return country !== "" && isMany && isIdle
      ? [{ code: "STARTS_UNUSUAL", country, count: counts.asked, usual, share }]
      : []
  })
}

/** What differs from the same hours of the last weeks, worst first. Unusual starts also explain a low conversion. */
export const unusualOf = (
  now: ReadonlyArray<WindowCounts>,
  weeks: ReadonlyArray<ReadonlyArray<WindowCounts>>
): ReadonlyArray<Unusual> => {
  const starts = manyStarts(now, weeks)
  const low = lowShares(now, weeks).filter(
    ({ code, country }) => code !== "CONVERSION_LOW" || !starts.some((one) => one.country === country)
  )
  return [...starts, ...low.toSorted((a, b) => b.count * (b.usual - b.share) - a.count * (a.usual - a.share))]
}
