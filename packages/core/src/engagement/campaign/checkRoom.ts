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
    const problem = `there are ${mostUnfinished} unfinished campaigns already; cancel one, or wait until one is over`
    return new InvalidField({ field: "startAt", problem })
  }
  if (waiting + total > mostWaiting) {
    const problem = `${waiting} recipients of other campaigns wait already, and with these ${total} there would be more than ${mostWaiting}; cancel a campaign, or wait until one is over`
    return new InvalidField({ field: "csv", problem })
  }
  if (unwritten + total > mostUnwritten) {
    const problem = `${unwritten} recipients whom nobody wrote to are kept of other campaigns, most of them cancelled, and with these ${total} there would be more than ${mostUnwritten}; wait until the oldest of them are forgotten`
    return new InvalidField({ field: "csv", problem })
  }
  return null
}
