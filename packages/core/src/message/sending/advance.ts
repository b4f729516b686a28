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

/** News about a delivery: from the send itself, from the provider's receipt, or decided here. */
export interface DeliveryNews {
  readonly status: Exclude<DeliveryStatus, "PENDING">
  readonly providerId: string | null
  readonly providerCode: string | null
  /** The carrier that was asked; receipts do not say it. */
  readonly carrier?: string
  /** What a failure is about. */
  readonly because?: Because
  /** The carriers whose provider reports it. One that did not take the message cannot say that it failed. */
  readonly by?: ReadonlyArray<string>
  /** Decided by core, and no word of the provider's: where that never answered, the message may still be on its way. */
  readonly isOurs?: true
}

const isOurs = ({ isOurs, status }: DeliveryNews): boolean => isOurs === true || status === "SKIPPED"

/** From where news may move it. A failure says nothing new of a message that was not handed over, for all we know. */
const standing = (delivery: Delivery, news: DeliveryNews): DeliveryStatus => {
  const isNew = news.status === "FAILED" ? failedInSilence(delivery) : endedUnheard(delivery)
  return isNew && !isOurs(news) ? "PENDING" : delivery.status
}

/** A failure with a code of its own where the provider gave none: for messages that show their code alone. */
export const withReason = (news: DeliveryNews): DeliveryNews =>
  news.status === "FAILED" && news.providerCode === null ? { ...news, providerCode: "unspecified" } : news

const codeOf = (news: DeliveryNews): string | null => {
  if (news.status !== "FAILED" || news.providerCode === null) return null
  const code = safeCode(news.providerCode)
  return !isOurs(news) && isOurWord(code) ? "unspecified" : code
}

/** A failure that a carrier reports which was passed over: the message went to another one after it. */
const isOfOther = ({ carrier }: Delivery, { by, status }: DeliveryNews): boolean =>
  status === "FAILED" && by !== undefined && carrier !== undefined && !by.includes(carrier)

const step = <D extends Delivery>(delivery: D, news: DeliveryNews, now: Instant): D => {
  if (isOfOther(delivery, news)) return delivery
  const providerId = delivery.providerId ?? news.providerId
  const carrier = delivery.carrier ?? news.carrier
  const known: D =
    providerId === delivery.providerId && carrier === delivery.carrier
      ? delivery
      : { ...delivery, providerId, ...(carrier === undefined ? {} : { carrier }) }
  if (!advances(standing(delivery, news), news.status)) return known
  const { because, status } = news
  const why = status === "FAILED" && because !== undefined ? { because } : {}
  const moved: D = { ...known, status, providerCode: codeOf(news), ...why }
  if (isOurs(news)) return moved
  // The provider has answered, and what it reports of was handed over, whatever was believed before.
  const { unanswered: _, ...answered } = moved
  return (moved.handedAt === null ? { ...answered, handedAt: now } : answered) as D
}

/**
 * What becomes of a delivery by news; null when they are late, repeated, out of order, or of a message that was never
 * handed over. `now` is when it was handed over, for all that is known, where its mark was taken back.
 */
export const advance = <D extends Delivery>(delivery: D, news: ReadonlyArray<DeliveryNews>, now: Instant): D | null => {
  if (delivery.tries === 0) return null
  const next = news.reduce((one, news) => step(one, news, now), delivery)
  return next === delivery ? null : next
}
