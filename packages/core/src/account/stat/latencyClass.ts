import type { Millis } from "../../foundation/time/Instant.ts"

/** How many classes each doubling has: no class is wider than 1/64 of its start. */
const parts = 64
const bits = 6
const most = 2 ** 31 - 1

/** The start of a latency class, and its width in milliseconds. */
interface LatencySpan {
  readonly from: Millis
  readonly width: Millis
}

/**
 * The class that counts a latency. Below 128 ms each millisecond is a class. Above, a class is 1/64 to 1/128 of its
 * latencies wide. The calculation uses integers only, so every process and version agrees. Negative latencies count as
 * 0, because two clocks may differ.
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
