import { Effect, type Result } from "effect"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Price } from "../../foundation/delivery/Price.ts"
import type { Caller } from "../merchant/Caller.ts"
import { defaultSettings, type Settings } from "../merchant/Settings.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { SendBudgets } from "../../foundation/limit/SendCounts.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Funds } from "./Balance.ts"
import type { BalanceStore } from "./BalanceStore.ts"
import { charge, type Unpaid } from "./charge.ts"
import { dayOf } from "./dayOf.ts"

/** The input of decisions on sends: prices and caps from the settings, and the balance. */
export interface Budget {
  readonly settings: Pick<Settings, "balanceLowAt" | "campaignFloor" | "dailyCap" | "prices"> & Partial<SendBudgets>
  /** Null when nothing is charged, because billing is off. */
  readonly funds: Funds | null
}

/** The budget where nothing is charged. */
export const noPrices: Budget = { settings: defaultSettings, funds: null }

type Payer = Pick<Caller, "environment" | "settings">

/** Whether sends cost money. A test environment uses play money, so that merchants can test an empty balance. */
export const isBilled = ({ settings }: Pick<Payer, "settings">): boolean => settings.billing === "PREPAID"

/** The current balance. Reads storage each time, so a retried decision sees what other sends left. */
export const loadBudget = (
  store: BalanceStore["Service"],
  payer: Payer,
  now: Instant
): Effect.Effect<Budget, StoreError> => {
  const { environment, settings } = payer
  return isBilled(payer)
    ? Effect.map(store.funds(environment, dayOf(settings, now)), (funds) => ({ settings, funds }))
    : Effect.succeed({ settings, funds: null })
}

/** The price of a message to a recipient, or why it cannot be paid. */
export const priceFrom = (budget: Budget, channel: ChannelName, to: string): Result.Result<Price | null, Unpaid> =>
  charge(budget.settings, budget.funds, channel, to)

/** The budget after amounts moved: a decision can spend what it refunds. */
export const afterwards = (budget: Budget, booked: ReadonlyArray<Booking>): Budget => {
  const { funds } = budget
  if (funds === null || booked.length === 0) return budget
  let { amount } = funds.balance
  const spent: { [channel: string]: number } = { ...funds.spent }
  for (const booking of booked) {
    amount += booking.amount
    if (booking.spent?.day !== funds.day) continue
    const { channel } = booking.spent
    spent[channel] = (spent[channel] ?? 0) - booking.amount
  }
  return { ...budget, funds: { ...funds, balance: { ...funds.balance, amount }, spent } }
}
