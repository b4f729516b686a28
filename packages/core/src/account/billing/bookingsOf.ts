import { dead, type Delivery } from "../../foundation/delivery/Delivery.ts"
import type { SendPolicy } from "../../foundation/delivery/SendPolicy.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import type { Till } from "./Till.ts"

/** When a message is paid: see `SendPolicy`. */
type Paid = Pick<SendPolicy, "paid">

/** What a booking says of the message that it is for. */
export type BookedFor = Pick<Booking, "at" | "environment" | "item" | "reference"> & { readonly channel: string }

const none: ReadonlyArray<never> = []

/**
 * Whether money is taken for a message as it stands. Of one that has ended it is not, unless its provider was asked to
 * send it and never said what became of it: that core stopped waiting for it undoes no send.
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
 * The money that a change of messages moves; `before` has the same ones in the same order, without the new ones at the
 * end. It follows from the difference of the states, so no decision can forget it, and a message that has ended is
 * refunded once. Refunds come first, so that they can pay what is taken.
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

/** Whether a change takes a message back to life whose money had been given back: it has to be paid once more. */
export const isRevived = (before: Delivery, after: Delivery, policy: Paid): boolean =>
  after.price?.day != null && !isPaid(before, policy) && isPaid(after, policy)

/**
 * A message that was refunded and turns out to have been sent. It is paid now if the balance reaches; if not, it costs
 * nothing, for it cannot be called back. No cap of a day keeps it from being paid.
 */
const payRevived = <D extends Delivery>(delivery: D, { funds }: Till): D => {
  const { price } = delivery
  if (price == null) return delivery
  const canPay = funds !== null && funds.balance.amount + funds.balance.creditLimit >= price.amount
  return { ...delivery, price: canPay ? { ...price, cap: null } : { ...price, day: null } }
}

/** A message after a change, paid once more where the change takes it back to life. */
export const paidAgain = <D extends Delivery>(before: D, after: D, policy: Paid, till: Till): D =>
  isRevived(before, after, policy) ? payRevived(after, till) : after
