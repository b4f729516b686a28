import { bookingsOf } from "../../account/billing/bookingsOf.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Delivery } from "../../foundation/delivery/Delivery.ts"
import type { Price } from "../../foundation/delivery/Price.ts"
import { sendPolicies } from "../../foundation/delivery/SendPolicy.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** One person a campaign is for, and what became of their message: there is one message for each, whatever dies. */
export interface Recipient extends Omit<Delivery, "unanswered"> {
  readonly environment: string
  readonly campaignId: string
  /** 1 for the first of the list. */
  readonly number: number
  /** The version this state was read at; 0 for one that nobody saved yet. */
  readonly version: number
  /** E.164 with `+`. */
  readonly phone: string
  /** What fills the places of the template, in its order. */
  readonly values: ReadonlyArray<string>
  readonly handedAt: Instant | null
  readonly tries: number
  readonly price: Price | null
}

const numberDigits = 10

/**
 * The name of a recipient's message at its provider: the campaign's own end and the recipient's number, so that a receipt
 * finds the recipient without a further index.
 */
export const deliveryIdOf = ({ campaignId, number }: Pick<Recipient, "campaignId" | "number">): string =>
  `dlv_${campaignId.slice(-16)}${String(number).padStart(numberDigits, "0")}`

/** The number of the recipient; NaN for what is no delivery of a campaign. */
export const numberIn = (deliveryId: string): number => Number(deliveryId.slice(-numberDigits))

/** The money that a change of a recipient moves. */
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
