import { sendPolicies } from "../../foundation/delivery/SendPolicy.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { outcomeUnknown } from "../../foundation/delivery/Delivery.ts"
import type { Recipient } from "./Recipient.ts"

/** How long a receipt is waited for, where nobody knows whether a message left. */
export const receiptWait = sendPolicies.campaign.silence.after

/**
 * When it is decided about a message of which nobody knows whether it left. `seenAt` is when this process first found it
 * so: another one may have its provider's answer, and need as long to record it.
 */
export const dueAt = ({ handedAt }: Recipient, seenAt: Instant): Instant =>
  Math.max(handedAt ?? 0, seenAt) + receiptWait

/**
 * Whether a message in doubt may be handed over once more: receipts of later ones came, so the provider never had this
 * one. Where that cannot be known, or it was so before, it has failed until a receipt says otherwise. Silence before
 * `since` means nothing: then this process was not there to hear a receipt, or could not record one, and providers
 * repeat few of them.
 */
export const mayRepeat = ({ handedAt, tries }: Recipient, since: Instant, isHeardOf: boolean): boolean =>
  isHeardOf && tries < 2 && (handedAt ?? 0) >= since

export const givenUp = (recipient: Recipient): Recipient => ({
  ...recipient,
  status: "FAILED",
  providerCode: outcomeUnknown
})
