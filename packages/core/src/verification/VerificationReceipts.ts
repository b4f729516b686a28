import { Clock, Effect, Layer } from "effect"
import type { Receipt } from "../delivery/Callback.ts"
import { Receipts } from "../delivery/Receipts.ts"
import type { Reference } from "../delivery/Reference.ts"
import * as Identifier from "../identity/Identifier.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { deliver } from "./deliver.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** Takes the receipts of deliveries that belong to verifications. */
export const layer: Layer.Layer<never, never, Receipts | VerificationStore | Outbox> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { own } = yield* Receipts
    const store = yield* VerificationStore
    const commit = yield* Outbox.door(VerificationStore)

    const record = Effect.fnUntraced(function* (
      { deliveryId, environment, ownerId }: Reference,
      receipts: ReadonlyArray<Receipt>
    ) {
      const loaded = yield* store.load(environment, ownerId)
      if (loaded === null) return
      const now = yield* Clock.currentTimeMillis
      const { change } = deliver(
        loaded,
        receipts.map((receipt) => ({ ...receipt, deliveryId })),
        { eventId: Identifier.make("evt", now), deliveryId: Identifier.make("dlv", now) },
        null,
        now
      )
      if (change !== null) yield* commit(change)
    })

    yield* own("ver", (reference, receipts) => untilCommitted(record(reference, receipts)))
  })
)
