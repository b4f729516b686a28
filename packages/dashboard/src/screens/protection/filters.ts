import { oneOf } from "../../address/filtersIn.ts"

/** The ranges in days. */
export const ranges = ["7d", "30d", "90d"] as const
export type Range = (typeof ranges)[number]
export const usual: Range = "30d"

export const filters = { range: oneOf(ranges) }

/** The start of a range: midnight in the viewer's time zone, so that today is its last day. */
export const beginOfRange = (range: Range, now: Date): string =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - Number.parseInt(range, 10) + 1).toISOString()
