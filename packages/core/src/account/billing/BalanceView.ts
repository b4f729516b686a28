import { inOrder } from "../../foundation/delivery/ChannelName.ts"
import type { BilledBy } from "../merchant/BillingRules.ts"
import type { Settings } from "../merchant/Settings.ts"
import type { Funds } from "./Balance.ts"

/** A channel's spending so far today, and its daily cap. */
export interface SpentOnDay {
  readonly channel: string
  readonly amount: number
  /** Null without a cap. */
  readonly cap: number | null
}

/** A balance as people see it, in the smallest unit of money. */
export interface BalanceView {
  readonly balance: number
  readonly currency: string
  readonly creditLimit: number
  /** The amount that sends may still spend: the balance plus its credit. */
  readonly available: number
  /** Whether it is below the setting `balanceLowAt`. */
  readonly low: boolean
  /** Channels that cost anything today or have a cap. */
  readonly spentToday: ReadonlyArray<SpentOnDay>
  /** The merchant's own day, as `2026-11-22`. */
  readonly day: string
  /** Who tops up and sets prices. */
  readonly billedBy: BilledBy
}

export const balanceViewOf = (
  { balance, day, spent }: Funds,
  { balanceLowAt, dailyCap }: Pick<Settings, "balanceLowAt" | "dailyCap">,
  currency: string,
  billedBy: BilledBy
): BalanceView => ({
  balance: balance.amount,
  currency,
  creditLimit: balance.creditLimit,
  // Sends owe nothing when the credit was lowered afterwards.
  available: Math.max(0, balance.amount + balance.creditLimit),
  low: balanceLowAt !== null && balance.amount < balanceLowAt,
  spentToday: inOrder([...Object.keys(spent), ...Object.keys(dailyCap)]).flatMap((channel) => {
    const [amount, cap] = [spent[channel] ?? 0, dailyCap[channel] ?? null]
    return amount === 0 && cap === null ? [] : [{ channel, amount, cap }]
  }),
  day,
  billedBy
})
