const steps = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 4, 6, 12, 24].map((hours) => hours * 3_600_000)
]

/** The smallest round step in milliseconds that is at least `least`. */
const niceStep = (least: number): number =>
  steps.find((step) => step >= least) ?? Math.ceil(least / 86_400_000) * 86_400_000

/** A stretch of time with its position, in shares of the width. A broken stretch is a shortened wait. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
  readonly isBroken: boolean
}

export interface Axis {
  readonly stretches: ReadonlyArray<Stretch>
  /** Position of a moment, from 0 to 1. */
  readonly place: (ms: number) => number
  readonly ticks: ReadonlyArray<number>
}

/** A wait is shortened when it would leave less than this share of the width to the rest. */
const least = 0.2
/** Width of a shortened wait, relative to the rest. */
const brokenShare = 0.24
const mostBreaks = 3
/** Width of a label, as a share of the whole. */
const room = 0.1

/** The waits between steps that are shortened so that the rest stays readable. */
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

/** The time axis: true to scale except for shortened waits. `moments` are in milliseconds. */
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

/** Round tick values on the scaled stretches: about five over the width, never overlapping. */
const ticksOf = (stretches: ReadonlyArray<Stretch>): ReadonlyArray<number> => {
  const ticks: Array<number> = []
  for (const { end, from, isBroken, start, to } of stretches) {
    if (isBroken || end - start < 0.12) continue
    const step = niceStep((to - from) / (5 * (end - start)))
    // A label needs space, so none is placed into the following wait.
    const last = end === 1 ? to : to - ((to - from) * room) / (end - start)
    for (let at = Math.ceil(from / step) * step; at <= last; at += step) ticks.push(at)
  }
  return ticks.length === 0 ? [0] : ticks
}
