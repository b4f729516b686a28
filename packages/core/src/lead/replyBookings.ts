import { bookingOf, type Paid } from "../billing/bookingOf.ts"
import { revivedPrice } from "../billing/revivedPrice.ts"
import { dead } from "../delivery/Delivery.ts"
import type { Till } from "../billing/Till.ts"
import type { Booking } from "../outbox/Booking.ts"
import type { Instant } from "../time/Instant.ts"
import type { LeadMessage } from "./LeadMessage.ts"

const paid = ({ price, status }: LeadMessage): Paid => ({
  channel: "WHATSAPP",
  status: status ?? "SKIPPED",
  ...(price === undefined ? {} : { price })
})

/** The money that a change of a reply moves, by the difference of the two states. `before` is null for a new one. */
export const replyBookings = (before: LeadMessage | null, after: LeadMessage, at: Instant): ReadonlyArray<Booking> => {
  const { environment, id } = after
  const booking = bookingOf(before === null ? null : paid(before), paid(after), {
    environment,
    reference: id,
    item: null,
    at
  })
  return booking === null ? [] : [booking]
}

/** Whether news took a reply back to life that had been given up, and given back: it has to be paid once more. */
export const isRevived = (before: LeadMessage, after: LeadMessage): boolean =>
  after.price?.day != null && dead(paid(before)) && !dead(paid(after))

/** A reply that had been given up for silence and was sent all the same. */
export const payRevived = (message: LeadMessage, till: Till): LeadMessage =>
  message.price === undefined ? message : { ...message, price: revivedPrice(message.price, till) }
