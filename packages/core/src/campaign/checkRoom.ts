import { InvalidField } from "../identity/InvalidField.ts"

/** What an environment's campaigns that are not over yet come to. */
export interface Unfinished {
  readonly campaigns: number
  /** Their recipients who are `PENDING`. */
  readonly waiting: number
}

/** So many campaigns of an environment are unfinished at a time: scheduled, running or paused. */
export const mostUnfinished = 200
/** So many of their recipients wait at a time. A list may be a year ahead, and is kept until then. */
export const mostWaiting = 1_000_000

/**
 * Whether there is room for another campaign; null where there is. Requests that are made at one instant may together go
 * beyond it, by the few lists of a merchant that a process reads at once.
 */
export const checkRoom = ({ campaigns, waiting }: Unfinished, total: number): InvalidField | null => {
  if (campaigns >= mostUnfinished) {
    const problem = `there are ${mostUnfinished} unfinished campaigns already; cancel one, or wait until one is over`
    return new InvalidField({ field: "startAt", problem })
  }
  if (waiting + total > mostWaiting) {
    const problem = `${waiting} recipients of other campaigns wait already, and with these ${total} there would be more than ${mostWaiting}; cancel a campaign, or wait until one is over`
    return new InvalidField({ field: "csv", problem })
  }
  return null
}
