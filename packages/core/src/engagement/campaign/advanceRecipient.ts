import { advance, type DeliveryNews, withReason } from "../../message/sending/advance.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { isErased } from "./erasedRecipient.ts"
import type { Recipient } from "./Recipient.ts"

/** What becomes of a recipient by news: see `advance`. Providers write numbers into the names that an erased one loses. */
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
