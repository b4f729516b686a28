import { advance, type DeliveryNews, withReason } from "../../message/sending/advance.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { isErased } from "./erasedRecipient.ts"
import type { Recipient } from "./Recipient.ts"

/**
 * Applies delivery news to a recipient: see `advance`. Drops the provider's message id for an erased recipient, because
 * some ids contain the phone number.
 */
export const advanceRecipient = (
  recipient: Recipient,
  news: ReadonlyArray<DeliveryNews>,
  at: Instant
): Recipient | null => {
  const isNameless = isErased(recipient)
  return advance(
    recipient,
    news.map((one) => withReason(isNameless ? { ...one, providerId: null } : one)),
    at
  )
}
