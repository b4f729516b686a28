import type { Millis } from "../../foundation/time/Instant.ts"
import { spanOf } from "./latencyClass.ts"
import type { Counts } from "./statFacts.ts"

export interface Quantiles {
  readonly p50: Millis
  readonly p95: Millis
  readonly p99: Millis
}

interface Bar {
  readonly index: number
  readonly n: number
}

/** The latency below which a share of all latencies lies. Interpolates within its class. */
const quantile = (bars: ReadonlyArray<Bar>, total: number, share: number): Millis => {
  const rank = share * total
  let below = 0
  for (const { index, n } of bars) {
    if (below + n >= rank) {
      const { from, width } = spanOf(index)
      return from + Math.round((width - 1) * ((rank - below) / n))
    }
    below += n
  }
  return 0
}

/** Returns quantiles of the latencies of one name, each off by at most 1/64; null without latencies. */
export const quantilesOf = (name: string, latencies: Counts): Quantiles | null => {
  const bars: Array<Bar> = []
  let total = 0
  for (const entry in latencies) {
    const n = latencies[entry]!
    if (n <= 0 || !entry.startsWith(`${name}.`)) continue
    bars.push({ index: Number(entry.slice(name.length + 1)), n })
    total += n
  }
  if (total === 0) return null
  bars.sort((a, b) => a.index - b.index)
  return { p50: quantile(bars, total, 0.5), p95: quantile(bars, total, 0.95), p99: quantile(bars, total, 0.99) }
}
