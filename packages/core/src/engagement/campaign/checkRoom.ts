import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"

/** How much of its campaign quota an environment uses. */
export interface Room {
  /** Unfinished campaigns: scheduled, running or paused. */
  readonly campaigns: number
  /** `PENDING` recipients of unfinished campaigns. */
  readonly waiting: number
  /** Recipients of all campaigns that received no message: `PENDING` or `SKIPPED`. */
  readonly unwritten: number
}

/** The most unfinished campaigns of an environment. */
export const mostUnfinished = 200
/** The most pending recipients of an environment. A list may be scheduled a year ahead and is stored until then. */
export const mostWaiting = 1_000_000
/**
 * The most stored recipients without a message. A cancelled list is stored like a sent one and costs the merchant
 * nothing. Without this limit, a merchant could create and cancel lists until the disk is full.
 */
export const mostUnwritten = 5_000_000

/**
 * Returns an error when the environment has no room for another campaign, otherwise null. Concurrent requests may
 * exceed the limits by the few lists that a process reads for a merchant at the same time.
 */
export const checkRoom = ({ campaigns, unwritten, waiting }: Room, total: number): InvalidField | null => {
  if (campaigns >= mostUnfinished) {
    return invalidField("startAt", Problem.of("CAMPAIGNS_UNFINISHED", { max: mostUnfinished }))
  }
  if (waiting + total > mostWaiting) {
    return invalidField("csv", Problem.of("RECIPIENTS_WAITING", { max: mostWaiting, total, waiting }))
  }
  if (unwritten + total > mostUnwritten) {
    return invalidField("csv", Problem.of("RECIPIENTS_UNWRITTEN", { max: mostUnwritten, total, unwritten }))
  }
  return null
}
