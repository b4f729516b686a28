import { dead, type Delivery, type DeliveryStatus } from "../delivery/Delivery.ts"
import type { Price } from "../delivery/Price.ts"
import type { Booking } from "../outbox/Booking.ts"

/** A message, as far as money is concerned. */
export interface Paid {
  readonly channel: string
  readonly status: DeliveryStatus
  readonly price?: Price
  readonly unanswered?: Delivery["unanswered"]
}

/**
 * Whether it has ended without being delivered. One that its provider was asked to send, and of which that never said
 * what became, may have been: that nobody waits for it any more, because its code came all the same or another message
 * takes its place, undoes no send.
 */
const isUnsent = (message: Paid): boolean => dead(message) && message.unanswered !== true

/** What is taken for a message as it stands. */
const takenFor = (message: Paid | null): number =>
  message?.price === undefined || message.price.day === null || isUnsent(message) ? 0 : message.price.amount

/**
 * The money that a change of a message moves: null when it moves none. By the difference of the two states, so no
 * decision can forget it, and as often as the state changes: a message that has ended for good is given back once.
 */
export const bookingOf = (
  before: Paid | null,
  after: Paid,
  of: Pick<Booking, "environment" | "reference" | "item" | "at">
): Booking | null => {
  const amount = takenFor(before) - takenFor(after)
  const { channel, price } = after
  if (amount === 0 || price === undefined || price.day === null) return null
  const { cap, day } = price
  return amount < 0
    ? { ...of, kind: "SEND", amount, spent: { channel, day, cap } }
    : { ...of, kind: "REFUND", amount, spent: { channel, day, cap: null } }
}
