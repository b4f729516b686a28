/** A seeded generator of random numbers, so that a day can be played again. */
export interface Random {
  /** From 0 to 1, exclusive. */
  readonly next: () => number
  readonly below: (n: number) => number
  readonly pick: <A>(items: ReadonlyArray<A>) => A
  /** A waiting time with this mean. */
  readonly exponential: (mean: number) => number
  /** A time whose median is this, with a long tail. */
  readonly logNormal: (median: number, sigma: number) => number
}

export const random = (seed: number): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    below: (n) => Math.floor(next() * n),
    pick: (items) => items[Math.floor(next() * items.length)]!,
    exponential: (mean) => -Math.log(1 - next()) * mean,
    logNormal: (median, sigma) =>
      median * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()))
  }
}
