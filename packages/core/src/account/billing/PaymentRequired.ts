import { Schema } from "effect"
import { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Unpaid } from "./charge.ts"
import type { Till } from "./Till.ts"
import { priceOf } from "./charge.ts"

/** A message cannot be paid. It was not sent, nothing was written and nothing counted. */
export class PaymentRequired extends Schema.TaggedError<PaymentRequired>()("PaymentRequired", {
  channel: ChannelName,
  /** No price is set for the channel, the balance does not reach, or the day's cap is reached. */
  why: Schema.Literals(["NO_PRICE", "BALANCE", "CAP"]),
  /** What it costs and what there is for it; null where there is no price, and for whoever may not know. */
  amounts: Schema.NullOr(Schema.Struct({ price: Schema.Number, left: Schema.Number, currency: Schema.String })),
  requestId: Schema.NullOr(Schema.String)
}) {
  /** The same for whoever has a key that everybody has. */
  get forAnybody(): PaymentRequired {
    const { channel, requestId, why } = this
    return new PaymentRequired({ channel, why, amounts: null, requestId })
  }
}

/** Why a message to somebody is not sent. */
export const paymentRequired = (
  why: Unpaid,
  { funds, settings }: Till,
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
