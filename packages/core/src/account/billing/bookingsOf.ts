import { dead, type Delivery } from "../../foundation/delivery/Delivery.ts"
import type { SendPolicy } from "../../foundation/delivery/SendPolicy.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import type { Budget } from "./Budget.ts"

/** When a message is paid: see `SendPolicy`. */
type Paid = Pick<SendPolicy, "paid">

/** The part of a booking that describes its message. */
export type BookedFor = Pick<Booking, "at" | "environment" | "item" | "reference"> & { readonly channel: string }

const none: ReadonlyArray<never> = []

/**
 * Whether a message in this state is charged. A message that ended is not, unless its provider received the send and
 * never reported the result. Core stopped waiting for that send, but cannot undo it.
 */
const isPaid = (delivery: Delivery, { paid }: Paid): boolean =>
  (!dead(delivery) || delivery.unanswered === true) && (paid === "requested" || delivery.handedAt != null)

const takenFor = (delivery: Delivery | undefined, policy: Paid): number =>
  delivery?.price?.day != null && isPaid(delivery, policy) ? delivery.price.amount : 0

/** The money that a change of a message moves; null when it moves none. */
const bookingOf = <D extends Delivery>(
  before: D | undefined,
  after: D,
  policy: Paid,
  of: (delivery: D) => BookedFor
): Booking | null => {
  const amount = takenFor(before, policy) - takenFor(after, policy)
  if (amount === 0 || after.price?.day == null) return null
  const { channel, ...booked } = of(after)
  const { cap, day } = after.price
  return amount < 0
    ? { ...booked, kind: "SEND", amount, spent: { channel, day, cap } }
    : { ...booked, kind: "REFUND", amount, spent: { channel, day, cap: null } }
}

/**
 * The money that a change of messages moves. `before` has the same messages in the same order, without the new ones at
 * the end. The amounts follow from the difference of the states, so no decision can forget them, and a message that
 * ended is refunded once. Refunds come first, so that they can pay for new charges.
 */
export const bookingsOf = <D extends Delivery>(
  before: ReadonlyArray<D>,
  after: ReadonlyArray<D>,
  policy: Paid,
  of: (delivery: D) => BookedFor
): ReadonlyArray<Booking> => {
  let booked: Array<Booking> | null = null
  for (const [i, delivery] of after.entries()) {
    if (delivery.price == null) continue
    const booking = bookingOf(before[i], delivery, policy, of)
    if (booking === null) continue
    booked ??= []
    if (booking.kind === "REFUND") booked.unshift(booking)
    else booked.push(booking)
  }
  return booked ?? none
}

/** Whether a change revives a refunded message, which must then be paid again. */
export const isRevived = (before: Delivery, after: Delivery, policy: Paid): boolean =>
  after.price?.day != null && !isPaid(before, policy) && isPaid(after, policy)

/**
 * Charges a refunded message that turns out to have been sent. It is paid when the balance covers it; otherwise it
 * stays free, because it cannot be recalled. Daily caps do not apply.
 */
const payRevived = <D extends Delivery>(delivery: D, { funds }: Budget): D => {
  const { price } = delivery
  if (price == null) return delivery
  const canPay = funds !== null && funds.balance.amount + funds.balance.creditLimit >= price.amount
  return { ...delivery, price: canPay ? { ...price, cap: null } : { ...price, day: null } }
}

/** A message after a change, charged again when the change revives it. */
export const paidAgain = <D extends Delivery>(before: D, after: D, policy: Paid, budget: Budget): D =>
  isRevived(before, after, policy) ? payRevived(after, budget) : after
