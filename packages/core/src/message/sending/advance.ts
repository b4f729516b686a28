import type { Because } from "../../foundation/delivery/ChannelError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import {
  advances,
  type Delivery,
  type DeliveryStatus,
  endedUnheard,
  failedInSilence,
  isOurWord
} from "../../foundation/delivery/Delivery.ts"
import { safeCode } from "./safeCode.ts"
import { safeMessageId } from "./safeMessageId.ts"

/** News about a delivery: from the send itself, from the provider's receipt, or decided by core. */
export interface DeliveryNews {
  readonly status: Exclude<DeliveryStatus, "PENDING">
  readonly providerId: string | null
  readonly providerCode: string | null
  /** The carrier that answered the send. Receipts do not name it. */
  readonly carrier?: string
  /** What a failure is about. */
  readonly because?: Because
  /**
   * The carriers that the report may come from. Another carrier's failure says nothing about a message it did not take.
   */
  readonly by?: ReadonlyArray<string>
  /**
   * Decided by core, not reported by the provider. If the provider never answered, the message may still be on its way.
   */
  readonly isOurs?: true
}

const isOurs = ({ isOurs, status }: DeliveryNews): boolean => isOurs === true || status === "SKIPPED"

/**
 * Returns the status that news starts from. A provider's report replaces an end that core decided without a report. A
 * reported failure replaces only a failure by silence.
 */
const currentStatus = (delivery: Delivery, news: DeliveryNews): DeliveryStatus => {
  const isNew = news.status === "FAILED" ? failedInSilence(delivery) : endedUnheard(delivery)
  return isNew && !isOurs(news) ? "PENDING" : delivery.status
}

/** Adds a code to a failure without one, for messages that show only their code. */
export const withReason = (news: DeliveryNews): DeliveryNews =>
  news.status === "FAILED" && news.providerCode === null ? { ...news, providerCode: "unspecified" } : news

const codeOf = (news: DeliveryNews): string | null => {
  if (news.status !== "FAILED" || news.providerCode === null) return null
  const code = safeCode(news.providerCode)
  return !isOurs(news) && isOurWord(code) ? "unspecified" : code
}

/** Whether a failure comes from another carrier than the one that has the message. */
const isOfOther = ({ carrier }: Delivery, { by, status }: DeliveryNews): boolean =>
  status === "FAILED" && by !== undefined && carrier !== undefined && !by.includes(carrier)

const step = <D extends Delivery>(delivery: D, news: DeliveryNews, now: Instant): D => {
  if (isOfOther(delivery, news)) return delivery
  const providerId = delivery.providerId ?? safeMessageId(news.providerId)
  const carrier = delivery.carrier ?? news.carrier
  const known: D =
    providerId === delivery.providerId && carrier === delivery.carrier
      ? delivery
      : { ...delivery, providerId, ...(carrier === undefined ? {} : { carrier }) }
  if (!advances(currentStatus(delivery, news), news.status)) return known
  const { because, status } = news
  const why = status === "FAILED" && because !== undefined ? { because } : {}
  const moved: D = { ...known, status, providerCode: codeOf(news), ...why }
  if (isOurs(news)) return moved
  // The provider reports about the message, so it was handed over, even if its mark was removed.
  const { unanswered: _, ...answered } = moved
  return (moved.handedAt === null ? { ...answered, handedAt: now } : answered) as D
}

/**
 * Applies news to a delivery. Returns null for news that is late, repeated or out of order, and for a provider's
 * news about a message that was never handed over. `now` becomes the handover time if its mark was removed.
 */
export const advance = <D extends Delivery>(delivery: D, news: ReadonlyArray<DeliveryNews>, now: Instant): D | null => {
  if (delivery.tries === 0 && !news.every(isOurs)) return null
  const next = news.reduce((one, news) => step(one, news, now), delivery)
  return next === delivery ? null : next
}
