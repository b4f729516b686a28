import { InvalidField } from "../../foundation/identity/InvalidField.ts"

/** What an environment's campaigns that are not over yet come to, and what is kept of those that are. */
export interface Room {
  /** Campaigns that are not over: scheduled, running or paused. */
  readonly campaigns: number
  /** Their recipients who are `PENDING`. */
  readonly waiting: number
  /** Recipients of all campaigns, over or not, to whom nobody wrote: `PENDING` or `SKIPPED`. */
  readonly unwritten: number
}

/** So many campaigns of an environment are unfinished at a time. */
export const mostUnfinished = 200
/** So many of their recipients wait at a time. A list may be a year ahead, and is kept until then. */
export const mostWaiting = 1_000_000
/**
 * So many recipients are kept to whom nobody wrote. A list that is cancelled is kept like one that was sent, and costs
 * its merchant nothing: without this bound one could make and cancel lists until the disk is full.
 */
export const mostUnwritten = 5_000_000

/**
 * Whether there is room for another campaign; null where there is. Requests that are made at one instant may together go
 * beyond it, by the few lists of a merchant that a process reads at once.
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
