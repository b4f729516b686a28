import type { Instant } from "../time/Instant.ts"

/** Why an amount moved. `SEND` takes; all others give, and `CORRECTION` may do either. */
export const BookingKind = ["SEND", "REFUND", "TOP_UP", "CORRECTION"] as const
export type BookingKind = (typeof BookingKind)[number]

/** No amount, balance or spending goes beyond this, in either direction: below 2^53 every whole number is exact. */
export const mostMoney = 9_000_000_000_000_000

export const isMoney = (amount: number): boolean => Number.isInteger(amount) && Math.abs(amount) <= mostMoney

/**
 * An amount that a change moves on an environment's balance. Storage writes it into the ledger and moves the balance by
 * it in the same step as the change: after every step the balance is the sum of the ledger.
 *
 * Storage refuses the whole change, as a `Conflict`, where what it takes is more than there is: the balance and the
 * credit together, or the day's cap. What a change was decided on has then changed, so it is decided again.
 */
export interface Booking {
  readonly environment: string
  readonly kind: BookingKind
  /** In the smallest unit of money: below zero for what is taken. */
  readonly amount: number
  /** Whose spending of the day it counts as; null for what is no send. */
  readonly spent: Spending | null
  /** What it is for: the id of a verification, a message, a campaign, or the top-up's own reference. */
  readonly reference: string | null
  /** What exactly, where `reference` has several: a delivery. Null where there is one alone. */
  readonly item: string | null
  readonly at: Instant
}

/** A part of a day's spending. */
export interface Spending {
  readonly channel: string
  /** `2026-11-22`, as the environment counts its days. A refund names the day of the send. */
  readonly day: string
  /** The most that may be spent on the channel that day; null for any amount. It binds what takes, and never a refund. */
  readonly cap: number | null
}
