import type { Instant } from "../time/Instant.ts"

/** The reason for a booking. `SEND` takes money, `CORRECTION` takes or adds it, all others add it. */
export const BookingKind = ["SEND", "REFUND", "TOP_UP", "CORRECTION"] as const
export type BookingKind = (typeof BookingKind)[number]

/** The largest amount, balance or daily spending, in either direction. Every integer below 2^53 is exact. */
export const mostMoney = 9_000_000_000_000_000

export const isMoney = (amount: number): boolean => Number.isInteger(amount) && Math.abs(amount) <= mostMoney

/**
 * An amount that a change books on an environment's balance. Storage writes the ledger row and updates the balance in
 * the same step as the change. So the balance always equals the sum of the ledger.
 *
 * Storage rejects the whole change as a `Conflict` when the amount exceeds the balance plus credit, or the daily cap.
 * The conflict makes the caller reload and decide again.
 */
export interface Booking {
  readonly environment: string
  readonly kind: BookingKind
  /** In the smallest unit of the currency; negative when it takes money. */
  readonly amount: number
  /** The daily spending that the amount counts towards; null when the booking is not for a send. */
  readonly spent: Spending | null
  /** The id of the verification, message or campaign, or the top-up's own reference. */
  readonly reference: string | null
  /** The delivery's id, when `reference` has several deliveries; otherwise null. */
  readonly item: string | null
  readonly at: Instant
}

/** A share of one day's spending. */
export interface Spending {
  readonly channel: string
  /** `2026-11-22`, in the environment's time zone. A refund uses the day of the send. */
  readonly day: string
  /** The channel's cap for that day; null for no cap. The cap limits sends and never refunds. */
  readonly cap: number | null
}
