import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { CallbackAnswer, CallbackRefused, CallbackRequest, Receipt } from "../delivery/Callback.ts"
import { Channels } from "../delivery/Channel.ts"
import * as Identifier from "../identity/Identifier.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { Committer } from "./Committer.ts"
import { deliver } from "./deliver.ts"
import * as DeliveryReference from "./DeliveryReference.ts"
import { untilCommitted } from "./untilCommitted.ts"
import type { Contended } from "./VerificationError.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** No channel of this service reports to that name. */
export class UnknownCallback extends Schema.TaggedError<UnknownCallback>()("UnknownCallback", {}) {}

/** A provider may put a thousand receipts into one request. */
const atOnce = 16

/** Learns from providers what became of messages. */
export class Receipts extends Context.Service<
  Receipts,
  {
    /**
     * Takes a provider's request to the callback of that name. It is answered only when everything it said is
     * committed, so a provider that hears nothing says it again.
     */
    readonly receive: (
      name: string,
      request: CallbackRequest
    ) => Effect.Effect<Omit<CallbackAnswer, "receipts">, UnknownCallback | CallbackRefused | Contended | StoreError>
    /** Records one receipt. One that is late, repeated, or about a message that is not ours changes nothing. */
    readonly record: (receipt: Receipt) => Effect.Effect<void, Contended | StoreError>
  }
>()("@countersign/core/verification/Receipts") {
  static readonly layerNoDeps: Layer.Layer<Receipts, never, Channels | VerificationStore | Committer> = Layer.effect(
    Receipts,
    Effect.gen(function* () {
      const channels = yield* Channels
      const store = yield* VerificationStore
      const { commit } = yield* Committer
      const callbacks = new Map(
        channels.all.flatMap(({ callback }) => (callback === undefined ? [] : [[callback.name, callback]]))
      )

      const decide = Effect.fnUntraced(function* (receipt: Receipt, reference: DeliveryReference.DeliveryReference) {
        const loaded = yield* store.load(reference.environment, reference.verificationId)
        if (loaded === null) return
        const now = yield* Clock.currentTimeMillis
        const { change } = deliver(
          loaded,
          [{ ...receipt, deliveryId: reference.deliveryId }],
          { eventId: Identifier.make("evt", now), deliveryId: Identifier.make("dlv", now) },
          null,
          now
        )
        if (change !== null) yield* commit(change, now)
      })

      const record = (receipt: Receipt) => {
        const reference = DeliveryReference.parse(receipt.reference)
        return reference === null ? Effect.void : untilCommitted(decide(receipt, reference))
      }

      return Receipts.of({
        record,
        receive: Effect.fnUntraced(function* (name, request) {
          const callback = callbacks.get(name)
          if (callback === undefined) return yield* new UnknownCallback()
          const { receipts, ...answer } = yield* callback.receive(request)
          yield* Effect.forEach(receipts, record, { concurrency: atOnce, discard: true })
          return answer
        })
      })
    })
  )
}
