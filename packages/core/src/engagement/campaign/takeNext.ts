import { Result } from "effect"
import { afterwards, type Budget } from "../../account/billing/Budget.ts"
import { marked } from "../../message/sending/mark.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Campaign } from "./Campaign.ts"
import { type CampaignUnpaid, campaignPrice } from "./pauseAtLowBalance.ts"
import { type Recipient, recipientBookings } from "./Recipient.ts"

/** The provider code of recipients who have opted out. */
export const optedOut = "opted_out"
/** The provider code of recipients left unsent by a cancelled campaign. */
export const cancelled = "cancelled"

/** The facts that decide which recipients are ready. */
export interface ReadinessFacts {
  readonly optedOut: ReadonlySet<string>
  /** When quiet hours end for a number; null when it may receive messages now. */
  readonly quietUntil: (phone: string) => Instant | null
}

/** The partition of a page of recipients, in list order. */
export interface SplitPage {
  /** Recipients to send to now. */
  readonly ready: ReadonlyArray<Recipient>
  readonly skipped: ReadonlyArray<Recipient>
  /** The earliest end of quiet hours among the other recipients; null when there are none. */
  readonly next: Instant | null
  /** The number of the last recipient processed. */
  readonly last: number
}

/** The earlier of two instants; null counts as never. */
export const earlierOf = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null ? b : b === null ? a : Math.min(a, b)

/** Splits recipients, in order, into ready and skipped until `most` are ready. */
export const splitRecipients = (
  page: ReadonlyArray<Recipient>,
  { optedOut: optedOutPhones, quietUntil }: ReadinessFacts,
  most: number
): SplitPage => {
  const ready: Array<Recipient> = []
  const skipped: Array<Recipient> = []
  let next: Instant | null = null
  let last = 0
  for (const recipient of page) {
    if (ready.length >= most) break
    last = recipient.number
    if (optedOutPhones.has(recipient.phone)) {
      skipped.push({ ...recipient, status: "SKIPPED", providerCode: optedOut })
      continue
    }
    const until = quietUntil(recipient.phone)
    if (until === null) ready.push(recipient)
    else next = earlierOf(next, until)
  }
  return { ready, skipped, next, last }
}

/** Recipients marked as sending, and their bookings. */
export interface MarkedRecipients {
  readonly recipients: ReadonlyArray<Recipient>
  readonly booked: ReadonlyArray<Booking>
  /** Why the first remaining recipient cannot be paid for; null when all were paid. */
  readonly unpaid: CampaignUnpaid | null
}

/** Marks as many recipients as the balance can pay for. Recipients in doubt are already paid. */
export const markPayable = (
  ready: ReadonlyArray<Recipient>,
  { channel }: Pick<Campaign, "channel">,
  budget: Budget,
  now: Instant
): MarkedRecipients => {
  const recipients: Array<Recipient> = []
  const booked: Array<Booking> = []
  let budgetLeft = budget
  for (const recipient of ready) {
    const isPaid = recipient.handedAt !== null
    const price = isPaid ? Result.succeed(recipient.price) : campaignPrice(budgetLeft, channel, recipient.phone)
    if (Result.isFailure(price)) return { recipients, booked, unpaid: price.failure }
    const next = marked<Recipient>({ ...recipient, price: price.success }, now)
    const bookings = recipientBookings(channel, recipient, next, now)
    budgetLeft = afterwards(budgetLeft, bookings)
    recipients.push(next)
    booked.push(...bookings)
  }
  return { recipients, booked, unpaid: null }
}
