import { advances, type DeliveryStatus } from "../delivery/Delivery.ts"
import { safeCode } from "../delivery/safeCode.ts"
import { isErased } from "./erasedRecipient.ts"
import type { Instant } from "../time/Instant.ts"
import type { Recipient } from "./Recipient.ts"
import { outcomeUnknown } from "./resolve.ts"

/** News about a message: from the send itself, or from the provider's receipt. */
export interface RecipientNews {
  readonly status: Exclude<DeliveryStatus, "PENDING" | "SKIPPED">
  readonly providerId: string | null
  readonly providerCode: string | null
}

/** Where a message stands, as far as news may move it: what was given up for silence may still turn out well. */
const standing = ({ problem, status }: Recipient): DeliveryStatus =>
  status === "FAILED" && problem === outcomeUnknown ? "PENDING" : status

/**
 * What becomes of a recipient by news; null when they are late, repeated, out of order, or of what was never handed over.
 * `at` is when it was handed over, for all that is known, where its mark was taken back.
 */
export const advanceRecipient = (
  recipient: Recipient,
  news: ReadonlyArray<RecipientNews>,
  at: Instant
): Recipient | null => {
  if (recipient.tries === 0) return null
  const next = news.reduce<Recipient>((one, { providerCode, providerId, status }) => {
    const named = { ...one, providerId: one.providerId ?? (isErased(one) ? null : providerId) }
    if (!advances(standing(one), status)) return named.providerId === one.providerId ? one : named
    const problem = status === "FAILED" ? safeCode(providerCode ?? "") : null
    // What the provider tells of was handed over, whatever was believed of it before.
    return { ...named, status, problem, handedAt: one.handedAt ?? at }
  }, recipient)
  return next === recipient ? null : next
}
