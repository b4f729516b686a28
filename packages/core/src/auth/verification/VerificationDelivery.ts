import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Delivery, DeliveryStatus, DeliveryType, SendOptions } from "../../foundation/delivery/Delivery.ts"
import type { Price } from "../../foundation/delivery/Price.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** A code or a link on its way. It belongs to its verification and changes together with it. */
export interface VerificationDelivery extends Delivery {
  readonly id: string
  readonly channel: ChannelName
  readonly type: DeliveryType
  readonly attemptNumber: number
  readonly createdAt: Instant
  readonly options: SendOptions
  /** Which version of a template of the merchant's own it says; without it, the built-in words. */
  readonly text?: { readonly id: string; readonly version: number }
  readonly price?: Price
  /** The idempotency key of the request that asked for this send: the same request never sends twice. */
  readonly command: string | null
  /** Carriers that took an earlier message of it, and reported that it failed. */
  readonly avoid?: ReadonlyArray<string>
  /** When it was known to have come so far, by the clock of the process that heard of it; absent until then. */
  readonly sentAt?: Instant
  readonly deliveredAt?: Instant
  readonly readAt?: Instant
}

/** When a delivery came so far, for each step that it has come now. A report that skips a step dates that one too. */
export const withTimes = (
  delivery: VerificationDelivery,
  status: DeliveryStatus,
  now: Instant
): VerificationDelivery =>
  status === "SENT" || status === "DELIVERED" || status === "READ"
    ? {
        ...delivery,
        sentAt: delivery.sentAt ?? now,
        ...(status === "SENT" ? {} : { deliveredAt: delivery.deliveredAt ?? now }),
        ...(status === "READ" ? { readAt: delivery.readAt ?? now } : {})
      }
    : delivery
