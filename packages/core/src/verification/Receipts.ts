import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { CallbackAnswer, CallbackRefused, CallbackRequest, Receipt } from "../delivery/Callback.ts"
import { Channels } from "../delivery/Channel.ts"
import * as Identifier from "../identity/Identifier.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { Committer } from "./Committer.ts"
import { deliver } from "./deliver.ts"
import * as DeliveryReference from "./DeliveryReference.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import type { Contended } from "../storage/Contended.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** No channel of this service reports to that name. */
export class UnknownCallback extends Schema.TaggedError<UnknownCallback>()("UnknownCallback", {}) {}

/** A provider may put a thousand receipts into one request. */
const atOnce = 16

const rank: { readonly [S in Receipt["status"]]: number } = { SENT: 0, DELIVERED: 1, READ: 2, FAILED: 3 }

/** Learns from providers what became of messages. */
export class Receipts extends Context.Service<
  Receipts,
  {
    /**
     * Takes a provider's request to the callback of that name. It is answered only when everything it said is
     * committed, so a provider that hears nothing says it again. What is late, repeated, or about a message that is
     * not ours changes nothing.
     */
    readonly receive: (
      name: string,
      request: CallbackRequest
    ) => Effect.Effect<Omit<CallbackAnswer, "receipts">, UnknownCallback | CallbackRefused | Contended | StoreError>
    /** Records one receipt that came some other way than over HTTP. */
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

      const decide = Effect.fnUntraced(function* (
        receipts: ReadonlyArray<Receipt>,
        reference: DeliveryReference.DeliveryReference
      ) {
        const loaded = yield* store.load(reference.environment, reference.verificationId)
        if (loaded === null) return
        const now = yield* Clock.currentTimeMillis
        const { change } = deliver(
          loaded,
          receipts.map((receipt) => ({ ...receipt, deliveryId: reference.deliveryId })),
          { eventId: Identifier.make("evt", now), deliveryId: Identifier.make("dlv", now) },
          null,
          now
        )
        if (change !== null) yield* commit(change)
      })

      /** What came together about one message counts together, and good news first: a device that got it outweighs one that did not. */
      const recordAll = (text: string, receipts: ReadonlyArray<Receipt>) => {
        const reference = DeliveryReference.parse(text)
        if (reference === null) return Effect.void
        const ordered = receipts.toSorted((a, b) => rank[a.status] - rank[b.status])
        return untilCommitted(decide(ordered, reference))
      }

      return Receipts.of({
        record: (receipt) => recordAll(receipt.reference, [receipt]),
        receive: Effect.fnUntraced(function* (name, request) {
          const callback = callbacks.get(name)
          if (callback === undefined) return yield* new UnknownCallback()
          const { receipts, ...answer } = yield* callback.receive(request)
          const byMessage = Map.groupBy(receipts, ({ reference }) => reference)
          yield* Effect.forEach(byMessage, ([reference, about]) => recordAll(reference, about), {
            concurrency: atOnce,
            discard: true
          })
          return answer
        })
      })
    })
  )
}
