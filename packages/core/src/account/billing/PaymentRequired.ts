import { Schema } from "effect"
import { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Unpaid } from "./charge.ts"
import type { Budget } from "./Budget.ts"
import { priceOf } from "./charge.ts"

/** A message cannot be paid. It was not sent, and nothing was written or counted. */
export class PaymentRequired extends Schema.TaggedError<PaymentRequired>()("PaymentRequired", {
  channel: ChannelName,
  /** The channel has no price, the balance is too low, or the day's cap is reached. */
  why: Schema.Literals(["NO_PRICE", "BALANCE", "CAP"]),
  /** The price and the available amount; null without a price, and for callers who may not know them. */
  amounts: Schema.NullOr(Schema.Struct({ price: Schema.Number, left: Schema.Number, currency: Schema.String })),
  requestId: Schema.NullOr(Schema.String)
}) {
  /** The same error without amounts, for callers with a public key. */
  get forAnybody(): PaymentRequired {
    const { channel, requestId, why } = this
    return new PaymentRequired({ channel, why, amounts: null, requestId })
  }
}

/** Why a message is not sent. */
export const paymentRequired = (
  why: Unpaid,
  { funds, settings }: Budget,
  to: { readonly channel: ChannelName; readonly identity: string; readonly requestId: string | null },
  currency: string
): PaymentRequired => {
  const { channel, identity, requestId } = to
  const price = priceOf(settings.prices, channel, identity)
  const cap = settings.dailyCap[channel] ?? null
  const left =
    funds === null
      ? 0
      : why === "CAP" && cap !== null
        ? Math.max(0, cap - (funds.spent[channel] ?? 0))
        : funds.balance.amount + funds.balance.creditLimit
  return new PaymentRequired({
    channel,
    why,
    amounts: price === null ? null : { price, left, currency },
    requestId
  })
}
