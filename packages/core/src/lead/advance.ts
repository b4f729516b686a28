import { advances, type DeliveryStatus } from "../delivery/Delivery.ts"
import { safeCode } from "../delivery/safeCode.ts"
import type { LeadMessage } from "./LeadMessage.ts"

/** What is said of a reply of which nothing was heard. */
export const unanswered = "unanswered"

/** News about a reply: from the send itself, or from the provider's receipt. */
export interface ReplyNews {
  readonly status: Exclude<DeliveryStatus, "PENDING" | "SKIPPED">
  readonly providerId: string | null
  readonly providerCode: string | null
}

/** Where a reply stands, as far as news may move it: what was given up for silence may still turn out well. */
const standing = ({ error, status }: LeadMessage): DeliveryStatus =>
  status === "FAILED" && error === unanswered ? "PENDING" : (status ?? "SKIPPED")

/** What becomes of a reply by news of it; null when they are late, repeated or out of order. */
export const advance = (message: LeadMessage, news: ReadonlyArray<ReplyNews>): LeadMessage | null => {
  const next = news.reduce<LeadMessage>((one, { providerCode, providerId, status }) => {
    const named = { ...one, providerId: one.providerId ?? providerId }
    if (!advances(standing(one), status)) return named.providerId === one.providerId ? one : named
    const error = status === "FAILED" ? safeCode(providerCode ?? "") : null
    return { ...named, status, error }
  }, message)
  return next === message ? null : next
}
