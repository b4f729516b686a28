import { Effect, Layer } from "effect"
import type { MerchantStore } from "../../account/merchant/MerchantStore.ts"
import * as resealing from "../../account/merchant/resealing.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { HookCache } from "./HookCache.ts"
import { HookLog } from "./HookLog.ts"
import { HookReceiver } from "./HookReceiver.ts"
import { Hooks } from "./Hooks.ts"
import { HookStore } from "./HookStore.ts"

/** Reseals the secrets of hooks. */
const sealing: Layer.Layer<never, never, HookStore | Keyring | MerchantStore | Outbox> = resealing.layer(
  Effect.fnUntraced(function* (reseal) {
    const hooks = yield* HookStore
    const commit = yield* Outbox.committer(HookStore)
    return Effect.fnUntraced(function* (environment: string) {
      for (const hook of yield* hooks.list(environment)) {
        const next = yield* resealing.resealedSecrets(reseal, "hook-secret", hook)
        if (next !== null) yield* commit(HookStore.change(next))
      }
    }, untilCommitted)
  })
)

/** Only the hooks themselves, for operator commands. */
export const management = Hooks.layerNoDeps.pipe(Layer.provideMerge(HookCache.layer))

/** Hooks of other sign-in systems: their management, and their requests. */
export const layer = HookReceiver.layerNoDeps.pipe(
  Layer.provide(HookLog.layer),
  Layer.provideMerge(management),
  Layer.merge(sealing)
)
