import { niceStep } from "./niceStep.ts"

/** A stretch of time and where it is drawn, as shares of the whole width. A broken one is a wait that is cut short. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
  readonly isBroken: boolean
}

export interface Axis {
  readonly stretches: ReadonlyArray<Stretch>
  /** Where a moment is drawn, from 0 to 1. */
  readonly place: (ms: number) => number
  readonly ticks: ReadonlyArray<number>
}

/** A wait that leaves the rest less than this share of the width is broken. */
const least = 0.2
/** What a broken wait is drawn as, of what the rest takes. */
const brokenShare = 0.24
const mostBreaks = 3
/** What a label takes of the whole width. */
const room = 0.1

/** Which waits between things that happened are cut short, so that the rest can be seen. */
const breaksIn = (gaps: ReadonlyArray<number>): ReadonlySet<number> => {
  const broken = new Set<number>()
  let rest = gaps.reduce((sum, gap) => sum + gap, 0)
  while (broken.size < mostBreaks) {
    const longest = gaps.reduce((best, gap, n) => (!broken.has(n) && gap > (gaps[best] ?? 0) ? n : best), -1)
    const gap = gaps[longest] ?? 0
    if (longest === -1 || rest - gap <= 0 || rest - gap >= rest * least) return broken
    broken.add(longest)
    rest -= gap
  }
  return broken
}

/** The axis of a life: true to scale, but for long waits in which nothing happened. `moments` are in milliseconds. */
export const axisOf = (moments: ReadonlyArray<number>): Axis => {
  const sorted = [...new Set([0, ...moments.map((ms) => Math.max(0, ms))])].sort((a, b) => a - b)
  const points = sorted.length === 1 ? [0, 1] : sorted
  const gaps = points.slice(1).map((to, n) => to - (points[n] ?? 0))
  const broken = breaksIn(gaps)
  const open = gaps.reduce((sum, gap, n) => (broken.has(n) ? sum : sum + gap), 0)
  const widths = gaps.map((gap, n) => (broken.has(n) ? open * brokenShare : gap))
  const whole = widths.reduce((sum, width) => sum + width, 0)
  const stretches: Array<Stretch> = []
  let start = 0
  for (const [n, width] of widths.entries()) {
    const end = start + width / whole
    const [from, to] = [points[n] ?? 0, points[n + 1] ?? 0]
    const last = stretches.at(-1)
    if (last !== undefined && !last.isBroken && !broken.has(n)) stretches[stretches.length - 1] = { ...last, to, end }
    else stretches.push({ from, to, start, end, isBroken: broken.has(n) })
    start = end
  }
  const place = (ms: number) => {
    const on = stretches.find(({ to }) => ms <= to) ?? stretches.at(-1)!
    const share = (Math.max(ms, on.from) - on.from) / (on.to - on.from || 1)
    return Math.min(1, on.start + Math.min(1, share) * (on.end - on.start))
  }
  return { stretches, place, ticks: ticksOf(stretches) }
}

/** Round moments on what is true to scale: about five over the whole width, and never two on top of each other. */
const ticksOf = (stretches: ReadonlyArray<Stretch>): ReadonlyArray<number> => {
  const ticks: Array<number> = []
  for (const { end, from, isBroken, start, to } of stretches) {
    if (isBroken || end - start < 0.12) continue
    const step = niceStep((to - from) / (5 * (end - start)))
    // A label takes some room: none is written into the wait that follows.
    const last = end === 1 ? to : to - ((to - from) * room) / (end - start)
    for (let at = Math.ceil(from / step) * step; at <= last; at += step) ticks.push(at)
  }
  return ticks.length === 0 ? [0] : ticks
}
