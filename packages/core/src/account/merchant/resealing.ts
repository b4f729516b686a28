import { Effect, Layer, Schedule } from "effect"
import { Keyring, type Purpose } from "../../foundation/secret/Keyring.ts"
import type { Secrets } from "../../foundation/secret/rotation.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { MerchantStore } from "./MerchantStore.ts"

const merchantsAtOnce = 100

/**
 * The same text sealed under the current master secret. Returns it unchanged when it already is, or when no secret of
 * this process opens it.
 */
export type Reseal = (purpose: Purpose, sealed: string) => Effect.Effect<string>

/** An owner of secrets with all of them sealed under the current master secret; null when they already are. */
export const resealedSecrets = Effect.fnUntraced(function* <Owner extends Secrets>(
  reseal: Reseal,
  purpose: Purpose,
  owner: Owner
): Effect.fn.Return<Owner | null> {
  const sealed = yield* reseal(purpose, owner.sealed)
  const previous = yield* Effect.forEach(owner.previous, (secret) =>
    Effect.map(reseal(purpose, secret.sealed), (sealed) => ({ ...secret, sealed }))
  )
  const isNew = sealed !== owner.sealed || previous.some((secret, i) => secret.sealed !== owner.previous[i]?.sealed)
  return isNew ? { ...owner, sealed, previous } : null
})

/**
 * Reseals the long-lived secrets of every environment under the current master secret. Runs once after each start that
 * has a previous secret, so that the previous secret can be removed even when nothing used them since.
 */
export const layer = <R>(
  make: (
    reseal: Reseal
  ) => Effect.Effect<(environment: string) => Effect.Effect<void, Contended | StoreError>, never, R>
): Layer.Layer<never, never, Keyring | MerchantStore | R> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const keyring = yield* Keyring
      if (keyring.all.length < 2) return
      const merchants = yield* MerchantStore
      const ofEnvironment = yield* make((purpose, sealed) =>
        Seal.isCurrent(keyring, sealed)
          ? Effect.succeed(sealed)
          : Seal.open(keyring, purpose, sealed).pipe(
              Effect.flatMap((text) => Seal.seal(keyring, purpose, text)),
              Effect.catchTag("SealBroken", () => Effect.succeed(sealed))
            )
      )
      const pass = Effect.gen(function* () {
        for (let after: string | null = null; ; ) {
          const page: ReadonlyArray<{ readonly id: string }> = yield* merchants.list({ after, limit: merchantsAtOnce })
          for (const { id } of page) {
            for (const { id: environment } of (yield* merchants.get(id))?.environments ?? []) {
              yield* ofEnvironment(environment)
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
