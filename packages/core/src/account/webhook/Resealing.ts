import { Effect, Layer, Schedule } from "effect"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import { NumberStore } from "../number/NumberStore.ts"
import { tokenPurpose } from "../number/Numbers.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring, type Purpose } from "../../foundation/secret/Keyring.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { WebhookStore } from "./WebhookStore.ts"

const merchantsAtOnce = 100

/**
 * Reseals long-lived secrets under the current master secret: tokens of connected numbers and secrets of webhooks. Runs
 * once after each start that has a previous secret, so that the previous secret can be removed even when nothing used
 * them since. A value that no secret of this process opens stays as it is.
 */
export const layer: Layer.Layer<never, never, Keyring | MerchantStore | NumberStore | Outbox | WebhookStore> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const keyring = yield* Keyring
      if (keyring.all.length < 2) return
      const merchants = yield* MerchantStore
      const numbers = yield* NumberStore
      const webhooks = yield* WebhookStore
      const commitNumber = yield* Outbox.committer(NumberStore)
      const commitWebhook = yield* Outbox.committer(WebhookStore)

      /**
       * The same text sealed under the current secret. Returns it unchanged when it already is, or when no secret opens
       * it.
       */
      const resealed = (purpose: Purpose, sealed: string): Effect.Effect<string> =>
        Seal.isCurrent(keyring, sealed)
          ? Effect.succeed(sealed)
          : Seal.open(keyring, purpose, sealed).pipe(
              Effect.flatMap((text) => Seal.seal(keyring, purpose, text)),
              Effect.catchTag("SealBroken", () => Effect.succeed(sealed))
            )

      // Loads each through the service that changes it, so that a concurrent change is not lost.
      const numbersOf = Effect.fnUntraced(function* (environment: string) {
        for (const number of yield* numbers.list(environment)) {
          const sealed = yield* resealed(tokenPurpose, number.sealed)
          if (sealed !== number.sealed) yield* commitNumber({ ...noRecords, number: { ...number, sealed } })
        }
      }, untilCommitted)

      const webhooksOf = Effect.fnUntraced(function* (environment: string) {
        for (const webhook of yield* webhooks.list(environment)) {
          const sealed = yield* resealed("webhook-secret", webhook.sealed)
          const previous = yield* Effect.forEach(webhook.previous, (secret) =>
            Effect.map(resealed("webhook-secret", secret.sealed), (sealed) => ({ ...secret, sealed }))
          )
          const isNew =
            sealed !== webhook.sealed || previous.some((one, i) => one.sealed !== webhook.previous[i]?.sealed)
          if (isNew) yield* commitWebhook(WebhookStore.change({ ...webhook, sealed, previous }))
        }
      }, untilCommitted)

      const pass = Effect.gen(function* () {
        for (let after: string | null = null; ; ) {
          const page: ReadonlyArray<{ readonly id: string }> = yield* merchants.list({ after, limit: merchantsAtOnce })
          for (const { id } of page) {
            for (const { id: environment } of (yield* merchants.get(id))?.environments ?? []) {
              yield* numbersOf(environment)
              yield* webhooksOf(environment)
            }
          }
          if (page.length < merchantsAtOnce) return
          after = page.at(-1)!.id
        }
      })
      // Storage may be unreachable for a moment.
      yield* Effect.forkScoped(Effect.ignore(Effect.retry(pass, Schedule.spaced("1 minute"))))
    })
  )
