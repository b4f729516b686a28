import { Clock, Effect, Layer } from "effect"
import { BalanceStore } from "../billing/BalanceStore.ts"
import type { Receipt } from "../delivery/Callback.ts"
import { Channels } from "../delivery/Channel.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import { Receipts } from "../delivery/Receipts.ts"
import type { Reference } from "../delivery/Reference.ts"
import * as Identifier from "../identity/Identifier.ts"
import { Merchants } from "../merchant/Merchants.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { deliver } from "./deliver.ts"
import { reportTill } from "./fallbackTill.ts"
import { logFailures } from "./logFailures.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** Takes the receipts of deliveries that belong to verifications. */
export const layer: Layer.Layer<
  never,
  never,
  Receipts | VerificationStore | BalanceStore | Merchants | Outbox | Channels
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { own } = yield* Receipts
    const store = yield* VerificationStore
    const billing = { balances: yield* BalanceStore, merchants: yield* Merchants }
    const commit = yield* Outbox.door(VerificationStore)
    const channels = yield* Channels

    const providerOf = ({ channel }: VerificationDelivery) => channels.find(channel)?.provider ?? "none"

    const record = Effect.fnUntraced(function* (
      { deliveryId, environment, ownerId }: Reference,
      receipts: ReadonlyArray<Receipt>
    ) {
      const loaded = yield* store.load(environment, ownerId)
      if (loaded === null) return
      const now = yield* Clock.currentTimeMillis
      const till = yield* reportTill(billing, loaded.verification, deliveryId, receipts, now)
      const { change, outcome } = deliver(
        loaded,
        receipts.map((receipt) => ({ ...receipt, deliveryId })),
        { eventId: Identifier.make("evt", now), deliveryId: Identifier.make("dlv", now) },
        till,
        null,
        now
      )
      if (change === null) return
      yield* commit(change)
      if (outcome._tag === "Advanced") yield* logFailures(loaded.verification, outcome.verification, providerOf)
    })

    yield* own(
      "ver",
      (reference, receipts) => untilCommitted(record(reference, receipts)),
      ({ environment, ownerId }) =>
        Effect.map(store.load(environment, ownerId), (loaded) =>
          loaded?.verification.identity.type === "MOBILE" ? `+${loaded.verification.identity.canonical}` : null
        )
    )
  })
)
