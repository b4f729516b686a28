import { days, type Instant, minutes } from "../../foundation/time/Instant.ts"
import type { Counts } from "./statFacts.ts"

/** The length of a bucket. Days are UTC days. */
export type StatSpan = "QUARTER" | "DAY"

export const quarter = minutes(15)
export const day = days(1)

export const startOf = (span: StatSpan, at: Instant): Instant => at - (at % (span === "QUARTER" ? quarter : day))

/** The dimensions of a bucket. An empty text means none or unknown. */
export interface StatGroup {
  readonly channel: string
  readonly country: string
  readonly path: string
  readonly template: string
}

/** Identifies a bucket: its time span by its start, and its group. */
export interface StatPlace extends StatGroup {
  readonly span: StatSpan
  readonly at: Instant
}

/** The sums of a time span and a group. */
export interface StatBucket extends StatPlace {
  /** `asked`, `sent`, `sent@CARRIER`, …, `refused.REASON`. A missing entry is 0. */
  readonly counts: Counts
  /**
   * Counts of latencies by class: `toSend.37`, `toSend.37@CARRIER`. Kept apart, because most readers of counts do not
   * need them.
   */
  readonly latencies: Counts
}

/** The key of a bucket within an environment. */
export const placeKey = ({ at, channel, country, path, span, template }: StatPlace): string =>
  `${span}\n${at}\n${channel}\n${country}\n${path}\n${template}`
