import { bookingOf, type Paid } from "../billing/bookingOf.ts"
import { revivedPrice } from "../billing/revivedPrice.ts"
import type { Till } from "../billing/Till.ts"
import type { ChannelName } from "../delivery/ChannelName.ts"
import { dead } from "../delivery/Delivery.ts"
import type { Booking } from "../outbox/Booking.ts"
import type { Instant } from "../time/Instant.ts"
import { deliveryIdOf, type Recipient } from "./Recipient.ts"

/** Money is taken for those who are being handed over or were, and given back with the mark. */
const paid = (channel: ChannelName, { handedAt, price, status }: Recipient): Paid => ({
  channel,
  status: handedAt === null ? "SKIPPED" : status,
  ...(price === null ? {} : { price })
})

/** What changes of recipients move: what is given back comes first, so that it can pay what is taken. */
export const recipientBookings = (
  channel: ChannelName,
  steps: ReadonlyArray<{ readonly before: Recipient; readonly after: Recipient }>,
  at: Instant
): ReadonlyArray<Booking> =>
  steps
    .flatMap(({ after, before }) => {
      const { campaignId: reference, environment } = after
      const item = deliveryIdOf(after)
      return bookingOf(paid(channel, before), paid(channel, after), { environment, reference, item, at }) ?? []
    })
    .sort((a, b) => b.amount - a.amount)

/** Whether news took a message back to life whose money had been given back: it has to be paid once more. */
export const isRevived = (channel: ChannelName, before: Recipient, after: Recipient): boolean =>
  after.price?.day != null && dead(paid(channel, before)) && !dead(paid(channel, after))

/** It has been delivered: where the money is not there any more, nothing is taken for it. */
export const payRevived = (recipient: Recipient, till: Till): Recipient =>
  recipient.price === null ? recipient : { ...recipient, price: revivedPrice(recipient.price, till) }
