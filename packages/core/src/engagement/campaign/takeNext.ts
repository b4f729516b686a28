import { Result } from "effect"
import type { Price, Unpaid } from "../../account/billing/charge.ts"
import { afterwards, priceFrom, type Budget } from "../../account/billing/Budget.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { marked } from "../../message/sending/mark.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Campaign } from "./Campaign.ts"
import { type Recipient, recipientBookings } from "./Recipient.ts"

/** The provider code of recipients who have opted out. */
export const optedOut = "opted_out"
/** The provider code of recipients left unsent by a cancelled campaign. */
export const cancelled = "cancelled"

/** The facts that decide which recipients are ready. */
export interface Sorting {
  readonly optedOut: ReadonlySet<string>
  /** When quiet hours end for a number; null when it may receive messages now. */
  readonly quietUntil: (phone: string) => Instant | null
}

/** The partition of a page of recipients, in list order. */
export interface Sorted {
  /** Recipients to send to now. */
  readonly ready: ReadonlyArray<Recipient>
  readonly skipped: ReadonlyArray<Recipient>
  /** The earliest end of quiet hours among the other recipients; null when there are none. */
  readonly next: Instant | null
  /** The number of the last recipient processed. */
  readonly last: number
}

/** The earlier of two instants; null counts as never. */
export const sooner = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null ? b : b === null ? a : Math.min(a, b)

/** Splits recipients, in order, into ready and skipped until `most` are ready. */
export const sortOut = (
  page: ReadonlyArray<Recipient>,
  { optedOut: unwilling, quietUntil }: Sorting,
  most: number
): Sorted => {
  const ready: Array<Recipient> = []
  const skipped: Array<Recipient> = []
  let next: Instant | null = null
  let last = 0
  for (const recipient of page) {
    if (ready.length >= most) break
    last = recipient.number
    if (unwilling.has(recipient.phone)) {
      skipped.push({ ...recipient, status: "SKIPPED", providerCode: optedOut })
      continue
    }
    const until = quietUntil(recipient.phone)
    if (until === null) ready.push(recipient)
    else next = sooner(next, until)
  }
  return { ready, skipped, next, last }
}

/** Recipients marked as sending, and their bookings. */
export interface Taken {
  readonly recipients: ReadonlyArray<Recipient>
  readonly booked: ReadonlyArray<Booking>
  /** Why the first remaining recipient cannot be paid for; null when all were paid. */
  readonly unpaid: CampaignUnpaid | null
}

/** Why a campaign cannot pay for a message. `FLOOR`: the balance would fall below the reserve for codes. */
export type CampaignUnpaid = Unpaid | "FLOOR"

/** The reserve that campaigns leave in the balance, so that logins keep working; null when there is none. */
export const floorOf = ({ balanceLowAt, campaignFloor }: Budget["settings"]): number | null =>
  campaignFloor ?? balanceLowAt

/**
 * The price of a campaign message, or why it cannot be paid. Codes sent concurrently see the same balance, so both
 * together may go slightly below the reserve, but never below zero.
 */
const campaignPrice = (
  budget: Budget,
  channel: ChannelName,
  to: string
): Result.Result<Price | null, CampaignUnpaid> => {
  const price = priceFrom(budget, channel, to)
  if (Result.isFailure(price) || budget.funds === null) return price
  const amount = price.success?.amount ?? 0
  const floor = floorOf(budget.settings)
  return floor !== null && amount > 0 && budget.funds.balance.amount - amount < floor ? Result.fail("FLOOR") : price
}

/** Marks as many recipients as the balance can pay for. Recipients in doubt are already paid. */
export const take = (
  ready: ReadonlyArray<Recipient>,
  { channel }: Pick<Campaign, "channel">,
  budget: Budget,
  now: Instant
): Taken => {
  const recipients: Array<Recipient> = []
  const booked: Array<Booking> = []
  let left = budget
  for (const recipient of ready) {
    const isPaid = recipient.handedAt !== null
    const price = isPaid ? Result.succeed(recipient.price) : campaignPrice(left, channel, recipient.phone)
    if (Result.isFailure(price)) return { recipients, booked, unpaid: price.failure }
    const next = marked<Recipient>({ ...recipient, price: price.success }, now)
    const taken = recipientBookings(channel, recipient, next, now)
    left = afterwards(left, taken)
    recipients.push(next)
    booked.push(...taken)
  }
  return { recipients, booked, unpaid: null }
}
