import { Result } from "effect"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Price } from "../../foundation/delivery/Price.ts"
import type { Settings } from "../merchant/Settings.ts"
import type { Funds } from "./Balance.ts"

export type { Price }

/** Why a message cannot be paid. */
export type Unpaid = "NO_PRICE" | "BALANCE" | "CAP"

/**
 * The price of a message to a canonical identity or E.164 number; null for a channel without a price. The longest
 * matching prefix wins.
 */
export const priceOf = (prices: Settings["prices"], channel: ChannelName, to: string): number | null => {
  const price = prices[channel]
  if (price === undefined) return null
  if (typeof price === "number") return price
  const digits = /^\+?([0-9]+)$/.exec(to)?.[1] ?? ""
  for (let length = digits.length; length > 0; length--) {
    const found = price.prefixes[digits.slice(0, length)]
    if (found !== undefined) return found
  }
  return price.default
}

/**
 * Whether a message can be paid, and its price. `funds` is null when billing is off: the message then keeps its price,
 * so that spending can be shown, and nothing is charged.
 */
export const charge = (
  { dailyCap, prices }: Pick<Settings, "dailyCap" | "prices">,
  funds: Funds | null,
  channel: ChannelName,
  to: string
): Result.Result<Price | null, Unpaid> => {
  const amount = priceOf(prices, channel, to)
  if (funds === null) return Result.succeed(amount === null ? null : { amount, day: null, cap: null })
  if (amount === null) return Result.fail("NO_PRICE")
  const { balance, day, spent } = funds
  if (amount > 0 && balance.amount + balance.creditLimit < amount) return Result.fail("BALANCE")
  const cap = dailyCap[channel] ?? null
  if (cap !== null && amount > 0 && (spent[channel] ?? 0) + amount > cap) return Result.fail("CAP")
  return Result.succeed({ amount, day, cap })
}
