import type { Random } from "../random.ts"
import type { Visit } from "../traffic.ts"

export interface Day {
  readonly name: string
  /** Only what is special about the day. The usual traffic is added by the player. */
  readonly visits: (random: Random) => ReadonlyArray<Visit>
}

export const seconds = (n: number) => n * 1000
export const minutes = (n: number) => n * 60_000
export const hours = (n: number) => n * 3_600_000

/** Visits a minute at a time. */
export type Rate = (at: number) => number

export const steady =
  (perMinute: number): Rate =>
  () =>
    perMinute

/** Rises to `peak` within `rise`, then halves every `half`. */
export const burst =
  (peak: number, start: number, rise: number, half: number): Rate =>
  (at) =>
    at < start ? 0 : at < start + rise ? (peak * (at - start)) / rise : peak * 0.5 ** ((at - start - rise) / half)

/** Times of a Poisson process, by thinning. A rate must not peak between two steps of five seconds. */
export const times = (rate: Rate, from: number, to: number, random: Random): ReadonlyArray<number> => {
  const step = seconds(10)
  const arrivals: Array<number> = []
  for (let start = from; start < to; start += step) {
    const end = Math.min(start + step, to)
    const most = Math.max(rate(start), rate(end), rate((start + end) / 2)) * 1.05
    if (most <= 0) continue
    for (let at = start + random.exponential(60_000 / most); at < end; at += random.exponential(60_000 / most))
      if (random.next() * most < rate(at)) arrivals.push(at)
  }
  return arrivals
}

/** Addresses of a /24, for example `inNetwork("185.220.101")`. */
export const inNetwork = (prefix: string) => (random: Random) => `${prefix}.${1 + random.below(254)}`

const group = (random: Random) => random.below(65_536).toString(16)

/** An IPv6 address below this prefix, which names `groups` of the eight groups. */
export const ipv6 = (prefix: string, groups: number, random: Random): string =>
  [prefix, ...Array.from({ length: 8 - groups }, () => group(random))].join(":")

export const deviceOf = (random: Random): string =>
  Array.from({ length: 4 }, () => random.below(65_536).toString(16).padStart(4, "0")).join("")
