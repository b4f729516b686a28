import { bookingsOf } from "../../account/billing/bookingsOf.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Delivery } from "../../foundation/delivery/Delivery.ts"
import type { Price } from "../../foundation/delivery/Price.ts"
import { sendPolicies } from "../../foundation/delivery/SendPolicy.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/**
 * One recipient of a campaign and the state of their message. Each recipient gets at most one message, even when a
 * process crashes.
 */
export interface Recipient extends Omit<Delivery, "unanswered"> {
  readonly environment: string
  readonly campaignId: string
  /** The line of the list on which the recipient stands, from 1. Numbers rise and have gaps. */
  readonly number: number
  /** The version this state was read at; 0 for a recipient that is not stored yet. */
  readonly version: number
  /** E.164 with `+`. */
  readonly phone: string
  /** The values of the template's placeholders, in order. */
  readonly values: ReadonlyArray<string>
  readonly handedAt: Instant | null
  readonly tries: number
  readonly price: Price | null
}

const numberDigits = 10

/**
 * The message id that the provider sees: the end of the campaign's id and the recipient's number. A receipt finds its
 * recipient from it without another index.
 */
export const deliveryIdOf = ({ campaignId, number }: Pick<Recipient, "campaignId" | "number">): string =>
  `dlv_${campaignId.slice(-16)}${String(number).padStart(numberDigits, "0")}`

/** Returns the recipient's number, or NaN when the id is not a campaign delivery. */
export const numberIn = (deliveryId: string): number => Number(deliveryId.slice(-numberDigits))

/** The bookings of a change to a recipient. */
export const recipientBookings = (
  channel: ChannelName,
  before: Recipient,
  after: Recipient,
  at: Instant
): ReadonlyArray<Booking> =>
  bookingsOf([before], [after], sendPolicies.campaign, (recipient) => ({
    environment: recipient.environment,
    reference: recipient.campaignId,
    item: deliveryIdOf(recipient),
    channel,
    at
  }))
