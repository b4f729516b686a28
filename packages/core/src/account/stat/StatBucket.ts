import { days, type Instant, minutes } from "../../foundation/time/Instant.ts"
import type { Counts } from "./statFacts.ts"

/** How much time a bucket is for. Days are those of UTC. */
export type StatSpan = "QUARTER" | "DAY"

export const quarter = minutes(15)
export const day = days(1)

export const startOf = (span: StatSpan, at: Instant): Instant => at - (at % (span === "QUARTER" ? quarter : day))

/** What a bucket counts apart. An empty text is none, or not known. */
export interface StatGroup {
  readonly channel: string
  readonly country: string
  readonly path: string
  readonly template: string
}

/** Which bucket it is: of a span of time that begins then, and of one group. */
export interface StatPlace extends StatGroup {
  readonly span: StatSpan
  readonly at: Instant
}

/** The sums of a span of time and a group. */
export interface StatBucket extends StatPlace {
  /** `asked`, `sent`, `sent@CARRIER`, …, `refused.REASON`. What is not in it is 0. */
  readonly counts: Counts
  /** How many latencies there are of a class: `toSend.37`, `toSend.37@CARRIER`. Kept apart, for most who read counts do not ask for them. */
  readonly latencies: Counts
}

/** Tells places of one environment apart. */
export const placeKey = ({ at, channel, country, path, span, template }: StatPlace): string =>
  `${span}\n${at}\n${channel}\n${country}\n${path}\n${template}`
