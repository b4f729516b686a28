import { type Instant, seconds } from "../time/Instant.ts"
import type { Recipient } from "./Recipient.ts"

/** What is said of a message of which nothing was heard. */
export const outcomeUnknown = "outcome_unknown"

/** How long a receipt is waited for, where nobody knows whether a message left. */
export const receiptWait = seconds(60)

/** When it is decided about a message of which nobody knows whether it left. */
export const dueAt = ({ handedAt }: Recipient): Instant => (handedAt ?? 0) + receiptWait

/**
 * Whether a message in doubt may be handed over once more: receipts of later ones came, so the provider never had this
 * one. Where that cannot be known, or it was so before, it has failed until a receipt says otherwise. Of silence from
 * before `since` nothing is known: nobody may have been there to hear a receipt, and providers repeat few of them.
 */
export const mayRepeat = ({ handedAt, tries }: Recipient, since: Instant, isHeardOf: boolean): boolean =>
  isHeardOf && tries < 2 && (handedAt ?? 0) >= since

export const givenUp = (recipient: Recipient): Recipient => ({
  ...recipient,
  status: "FAILED",
  problem: outcomeUnknown
})
