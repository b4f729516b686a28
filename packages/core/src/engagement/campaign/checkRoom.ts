import { InvalidField } from "../../foundation/identity/InvalidField.ts"

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
    const problem = `this environment already has ${mostUnfinished} unfinished campaigns; cancel one, or wait until one ends`
    return new InvalidField({ field: "startAt", problem })
  }
  if (waiting + total > mostWaiting) {
    const problem = `other campaigns have ${waiting} waiting recipients, and these ${total} would exceed the limit of ${mostWaiting}; cancel a campaign, or wait until one ends`
    return new InvalidField({ field: "csv", problem })
  }
  if (unwritten + total > mostUnwritten) {
    const problem = `other campaigns, most of them cancelled, hold ${unwritten} recipients without a message, and these ${total} would exceed the limit of ${mostUnwritten}; wait until the oldest are deleted`
    return new InvalidField({ field: "csv", problem })
  }
  return null
}
