import { Result } from "effect"
import type { Price, Unpaid } from "../../account/billing/charge.ts"
import { afterwards, priceFrom, type Till } from "../../account/billing/Till.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { marked } from "../../message/sending/mark.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Campaign } from "./Campaign.ts"
import { type Recipient, recipientBookings } from "./Recipient.ts"

/** Those who want no campaigns. */
export const optedOut = "opted_out"
/** Those to whom a cancelled campaign did not come. */
export const cancelled = "cancelled"

/** What sorts recipients out. */
export interface Sorting {
  readonly optedOut: ReadonlySet<string>
  /** Until when nobody writes to a number; null when one may. */
  readonly quietUntil: (phone: string) => Instant | null
}

/** What is known of the recipients that were looked at, in their order. */
export interface Sorted {
  /** Those to be written to now. */
  readonly ready: ReadonlyArray<Recipient>
  readonly skipped: ReadonlyArray<Recipient>
  /** When the first of those may be written to whose clocks say that it is night; null where there are none. */
  readonly next: Instant | null
  /** The number of the last one that was looked at. */
  readonly last: number
}

/** The earlier of two moments. */
export const sooner = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null ? b : b === null ? a : Math.min(a, b)

/** Sorts recipients, in their order, until so many are ready. */
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

/** Recipients that are handed over with the commit of this, and what they cost. */
export interface Taken {
  readonly recipients: ReadonlyArray<Recipient>
  readonly booked: ReadonlyArray<Booking>
  /** Why the first of those that are left could not be paid; null where all are. */
  readonly unpaid: CampaignUnpaid | null
}

/** Why a campaign cannot pay a message. `FLOOR`: what would be left is kept for codes. */
export type CampaignUnpaid = Unpaid | "FLOOR"

/** The least that campaigns leave of the balance, so that logins have it; null where nothing is kept. */
export const floorOf = ({ balanceLowAt, campaignFloor }: Till["settings"]): number | null =>
  campaignFloor ?? balanceLowAt

/**
 * The price of a campaign's message, or why it cannot be paid. Codes that are sent at the same moment see the same
 * balance, so they may take it somewhat below the floor; nothing takes it below zero.
 */
const campaignPrice = (till: Till, channel: ChannelName, to: string): Result.Result<Price | null, CampaignUnpaid> => {
  const price = priceFrom(till, channel, to)
  if (Result.isFailure(price) || till.funds === null) return price
  const amount = price.success?.amount ?? 0
  const floor = floorOf(till.settings)
  return floor !== null && amount > 0 && till.funds.balance.amount - amount < floor ? Result.fail("FLOOR") : price
}

/** Marks recipients as being handed over, as many as can be paid. What is in doubt has been paid already. */
export const take = (
  ready: ReadonlyArray<Recipient>,
  { channel }: Pick<Campaign, "channel">,
  till: Till,
  now: Instant
): Taken => {
  const recipients: Array<Recipient> = []
  const booked: Array<Booking> = []
  let left = till
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
