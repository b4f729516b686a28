import { Effect, type Result } from "effect"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Price } from "../../foundation/delivery/Price.ts"
import type { Caller } from "../merchant/Caller.ts"
import { defaultSettings, type Settings } from "../merchant/Settings.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Funds } from "./Balance.ts"
import type { BalanceStore } from "./BalanceStore.ts"
import { charge, type Unpaid } from "./charge.ts"
import { dayOf } from "./dayOf.ts"

/** What decisions on sends are made on: prices and caps as they are set, and what there is to spend. */
export interface Till {
  readonly settings: Pick<Settings, "balanceLowAt" | "campaignFloor" | "dailyCap" | "prices">
  /** Null where nothing is taken, because billing is off. */
  readonly funds: Funds | null
}

/** Where nothing costs anything. */
export const noPrices: Till = { settings: defaultSettings, funds: null }

type Payer = Pick<Caller, "environment" | "settings">

/** Whether sends take money. That of a test environment is play money, so that what happens without any can be tried. */
export const isBilled = ({ settings }: Pick<Payer, "settings">): boolean => settings.billing === "PREPAID"

/** What there is to spend now: asked of storage each time, so that it is decided anew on what others left. */
export const loadTill = (
  store: BalanceStore["Service"],
  payer: Payer,
  now: Instant
): Effect.Effect<Till, StoreError> => {
  const { environment, settings } = payer
  return isBilled(payer)
    ? Effect.map(store.funds(environment, dayOf(settings, now)), (funds) => ({ settings, funds }))
    : Effect.succeed({ settings, funds: null })
}

/** What a message to somebody costs, or why it cannot be paid. */
export const priceFrom = (till: Till, channel: ChannelName, to: string): Result.Result<Price | null, Unpaid> =>
  charge(till.settings, till.funds, channel, to)

/** The till once amounts have moved: what a decision gives back it can spend. */
export const afterwards = (till: Till, booked: ReadonlyArray<Booking>): Till => {
  const { funds } = till
  if (funds === null || booked.length === 0) return till
  let { amount } = funds.balance
  const spent: { [channel: string]: number } = { ...funds.spent }
  for (const booking of booked) {
    amount += booking.amount
    if (booking.spent?.day !== funds.day) continue
    const { channel } = booking.spent
    spent[channel] = (spent[channel] ?? 0) - booking.amount
  }
  return { ...till, funds: { ...funds, balance: { ...funds.balance, amount }, spent } }
}
