import { Clock, Context, Effect, Layer } from "effect"
import { BalanceStore } from "../../account/billing/BalanceStore.ts"
import { loadBudget, noPrices } from "../../account/billing/Budget.ts"
import { type Channel, isAccount } from "../../foundation/delivery/Channel.ts"
import { Channels, makeChoice } from "../../foundation/delivery/Channels.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Delivery } from "../../foundation/delivery/Delivery.ts"
import { Receipts } from "./Receipts.ts"
import { Senders } from "./Senders.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { Merchants } from "../../account/merchant/Merchants.ts"
import { notYoursCode } from "../../account/number/notYours.ts"
import { Numbers } from "../../account/number/Numbers.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { DeliveryOwner, ReadyMessage, SingleOwner } from "./DeliveryOwner.ts"
import { type Deliveries, recordDeliveries } from "./recordDeliveries.ts"
import { type Routes, sendOneByOne, type SingleDeliveries } from "./sendOneByOne.ts"

/**
 * Sends messages of every kind and records their results, in the same steps: mark, send, outcome, record, receipt,
 * booking. `SendPolicy` holds what differs between kinds. `DeliveryOwner` holds how they are stored.
 */
export class DeliveryRunner extends Context.Service<
  DeliveryRunner,
  Routes & {
    /** Registers an owner, so that receipts of its deliveries are recorded from now on. */
    readonly own: <Held, D extends Delivery>(owner: DeliveryOwner<Held, D>) => Effect.Effect<Deliveries<Held, D>>
    /** Like `own`, for an owner that sends its messages one by one. */
    readonly ownSingle: <Held, D extends Delivery>(
      owner: SingleOwner<Held, D>
    ) => Effect.Effect<SingleDeliveries<Held, D>>
  }
>()("@countersign/core/sending/DeliveryRunner") {
  static readonly layer: Layer.Layer<
    DeliveryRunner,
    never,
    BalanceStore | Channels | Merchants | Numbers | Receipts | Senders
  > = Layer.effect(
    DeliveryRunner,
    Effect.gen(function* () {
      const balances = yield* BalanceStore
      const clock = yield* Clock.Clock
      const channels = yield* Channels
      const merchants = yield* Merchants
      const numbers = yield* Numbers
      const receipts = yield* Receipts
      const channelsOf = yield* makeChoice
      const senders = yield* Senders

      const budgetOf = (environment: string, now: Instant) =>
        Effect.flatMap(merchants.environment(environment), (payer) =>
          // A suspended merchant cannot send, so it needs no budget.
          payer === null ? Effect.succeed(noPrices) : loadBudget(balances, payer, now)
        )

      const channelOf = (kind: Caller["kind"], name: ChannelName) => channelsOf(kind).find(name)

      const merchantsAccount = Effect.fnUntraced(function* (
        environment: string,
        channel: Channel,
        { isOwnTemplate, sender }: Pick<ReadyMessage, "sender" | "isOwnTemplate">
      ) {
        if (isOwnTemplate && !(yield* numbers.maySendTemplates(environment, sender))) return notYoursCode
        if (!isAccount(channel, sender)) return undefined
        return (yield* numbers.accountOf(environment, sender)) ?? "number_disconnected"
      })

      const accountFor: Routes["accountFor"] = (environment, channel, ready) =>
        ready.isOwnTemplate || isAccount(channel, ready.sender)
          ? merchantsAccount(environment, channel, ready)
          : Effect.undefined

      const own: DeliveryRunner["Service"]["own"] = (owner) =>
        recordDeliveries(owner, { channels, clock, receipts, budgetOf })

      return DeliveryRunner.of({
        own,
        ownSingle: (owner) =>
          Effect.map(own(owner), (deliveries) =>
            sendOneByOne(owner, deliveries, { accountFor, channelOf, clock, merchants, senders })
          ),
        channelOf,
        accountFor
      })
    })
  )
}
