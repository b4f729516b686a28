import { bookingOf } from "../billing/bookingOf.ts"
import type { Booking } from "../outbox/Booking.ts"
import type { Instant } from "../time/Instant.ts"
import type { Verification } from "./Verification.ts"

const none: ReadonlyArray<Booking> = []

/**
 * The money that a change of a verification moves: what new messages take, and what those give back that have ended
 * undelivered. What is given back comes first, so that it can pay what is taken.
 */
export const bookingsOf = (before: Verification | null, after: Verification, at: Instant): ReadonlyArray<Booking> => {
  let booked: Array<Booking> | null = null
  for (const [i, delivery] of after.deliveries.entries()) {
    if (delivery.price === undefined) continue
    const { environment, id: reference } = after
    const booking = bookingOf(before?.deliveries[i] ?? null, delivery, {
      environment,
      reference,
      item: delivery.id,
      at
    })
    if (booking === null) continue
    booked ??= []
    if (booking.kind === "REFUND") booked.unshift(booking)
    else booked.push(booking)
  }
  return booked ?? none
}
