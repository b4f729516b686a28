import { Result } from "effect"
import type { Price, Unpaid } from "../../account/billing/charge.ts"
import { priceFrom, type Budget } from "../../account/billing/Budget.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"

/** Why a campaign cannot pay for a message. `FLOOR`: the balance would fall below the reserve for codes. */
export type CampaignUnpaid = Unpaid | "FLOOR"

/** The reserve that campaigns leave in the balance, so that logins keep working; null when there is none. */
const reserveOf = ({ balanceLowAt, campaignFloor }: Budget["settings"]): number | null => campaignFloor ?? balanceLowAt

/**
 * The price of a campaign message, or why it cannot be paid. Codes sent concurrently see the same balance, so both
 * together may go slightly below the reserve, but never below zero.
 */
export const campaignPrice = (
  budget: Budget,
  channel: ChannelName,
  to: string
): Result.Result<Price | null, CampaignUnpaid> => {
  const price = priceFrom(budget, channel, to)
  if (Result.isFailure(price) || budget.funds === null) return price
  const amount = price.success?.amount ?? 0
  const reserve = reserveOf(budget.settings)
  return reserve !== null && amount > 0 && budget.funds.balance.amount - amount < reserve ? Result.fail("FLOOR") : price
}
