import { sendPolicies } from "../../foundation/delivery/SendPolicy.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { outcomeUnknown } from "../../foundation/delivery/Delivery.ts"
import type { Recipient } from "./Recipient.ts"

/** How long to wait for a receipt when it is unknown whether the provider received a message. */
export const receiptWait = sendPolicies.campaign.silence.after

/**
 * When to decide about a message with an unknown outcome. `seenAt` is when this process first saw the doubt. Another
 * process may hold the provider's answer and needs as long to record it.
 */
export const dueAt = ({ handedAt }: Recipient, seenAt: Instant): Instant =>
  Math.max(handedAt ?? 0, seenAt) + receiptWait

/**
 * Whether a message with an unknown outcome may be sent once more. True when receipts of later messages came, which
 * shows that the provider never had this one. Otherwise, and after a second try, the message has failed until a receipt
 * says otherwise. A missing receipt from before `since` proves nothing: this process could not receive or record it
 * then, and few providers repeat receipts.
 */
export const mayRepeat = ({ handedAt, tries }: Recipient, since: Instant, isHeardOf: boolean): boolean =>
  isHeardOf && tries < 2 && (handedAt ?? 0) >= since

export const givenUp = (recipient: Recipient): Recipient => ({
  ...recipient,
  status: "FAILED",
  providerCode: outcomeUnknown
})
