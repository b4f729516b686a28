import type { Millis } from "../../foundation/time/Instant.ts"

/** In how many parts each doubling is cut: no class is wider than 1/64 of where it begins. */
const parts = 64
const bits = 6
const most = 2 ** 31 - 1

/** Where a class of latencies begins, and how many milliseconds belong to it. */
interface LatencySpan {
  readonly from: Millis
  readonly width: Millis
}

/**
 * The class that a latency is counted in. Below 128 ms each millisecond is one; above, a class is as wide as 1/64 to 1/128
 * of its latencies. Whole numbers alone decide, so every process and every version sorts alike; what is negative counts
 * as 0, for two clocks may differ.
 */
export const latencyClass = (millis: Millis): number => {
  const whole = Math.min(Math.max(0, Math.floor(millis)), most)
  if (whole < parts) return whole
  const shift = 31 - Math.clz32(whole) - bits
  return shift * parts + (whole >>> shift)
}

/** The latencies of a class. */
export const spanOf = (index: number): LatencySpan => {
  if (index < 2 * parts) return { from: index, width: 1 }
  const shift = (index >>> bits) - 1
  return { from: ((index & (parts - 1)) + parts) * 2 ** shift, width: 2 ** shift }
}
