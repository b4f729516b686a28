import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Delivery, DeliveryStatus, DeliveryType, SendOptions } from "../../foundation/delivery/Delivery.ts"
import type { Price } from "../../foundation/delivery/Price.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** One message with a code or a link. It belongs to its verification and changes together with it. */
export interface VerificationDelivery extends Delivery {
  readonly id: string
  readonly channel: ChannelName
  readonly type: DeliveryType
  readonly attemptNumber: number
  readonly createdAt: Instant
  readonly options: SendOptions
  /** The version of the merchant's own template that it uses. Absent for the built-in text. */
  readonly text?: { readonly id: string; readonly version: number }
  readonly price?: Price
  /** The idempotency key of the request for this send. The same request never sends twice. */
  readonly command: string | null
  /** Carriers that took an earlier message of this verification and reported that it failed. */
  readonly avoid?: ReadonlyArray<string>
  /** When a process learned of each state, by that process's clock. Absent until then. */
  readonly sentAt?: Instant
  readonly deliveredAt?: Instant
  readonly readAt?: Instant
}

const furthest = ["READ", "DELIVERED", "SENT", "PENDING", "FAILED"] as const satisfies ReadonlyArray<DeliveryStatus>

/** The status of several messages with the same code: that of the one that came furthest. */
export const deliveryStatusOf = (
  deliveries: ReadonlyArray<Pick<VerificationDelivery, "status">>
): (typeof furthest)[number] => furthest.find((each) => deliveries.some(({ status }) => status === each)) ?? "FAILED"

/**
 * Sets the time of every state that the delivery has now reached. A report that skips a state sets that state's time
 * too.
 */
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
