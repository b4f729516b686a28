import { Effect, type Layer } from "effect"
import type { MerchantStore } from "../merchant/MerchantStore.ts"
import * as resealing from "../merchant/resealing.ts"
import { NumberStore } from "../number/NumberStore.ts"
import { tokenPurpose } from "../number/Numbers.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { WebhookStore } from "./WebhookStore.ts"

/** Reseals tokens of connected numbers and secrets of webhooks. */
export const layer: Layer.Layer<never, never, Keyring | MerchantStore | NumberStore | Outbox | WebhookStore> =
  resealing.layer(
    Effect.fnUntraced(function* (reseal) {
      const numbers = yield* NumberStore
      const webhooks = yield* WebhookStore
      const commitNumber = yield* Outbox.committer(NumberStore)
      const commitWebhook = yield* Outbox.committer(WebhookStore)

      // Loads each through the service that changes it, so that a concurrent change is not lost.
      const numbersOf = Effect.fnUntraced(function* (environment: string) {
        for (const number of yield* numbers.list(environment)) {
          const sealed = yield* reseal(tokenPurpose, number.sealed)
          if (sealed !== number.sealed) yield* commitNumber({ ...noRecords, number: { ...number, sealed } })
        }
      }, untilCommitted)

      const webhooksOf = Effect.fnUntraced(function* (environment: string) {
        for (const webhook of yield* webhooks.list(environment)) {
          const next = yield* resealing.resealedSecrets(reseal, "webhook-secret", webhook)
          if (next !== null) yield* commitWebhook(WebhookStore.change(next))
        }
      }, untilCommitted)

      return (environment: string) => Effect.andThen(numbersOf(environment), webhooksOf(environment))
    })
  )
