import { Context, Duration, Effect, Exit, Layer, Redacted } from "effect"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import * as SteadyCache from "../../foundation/time/SteadyCache.ts"
import type { Hook } from "./Hook.ts"
import { hookKinds } from "./hookKinds.ts"
import type { Signer } from "./HookRequest.ts"
import { HookStore } from "./HookStore.ts"

/** How long a process may use a cached hook: every process sees a change within this time. */
const freshness = "3 seconds"
const capacity = 10_000

/** Retries immediately when storage did not answer. */
const timeToLive = (exit: Exit.Exit<unknown, unknown>) => (Exit.isSuccess(exit) ? freshness : Duration.zero)

/** A secret of a hook, opened. */
export interface OpenSecret {
  readonly text: Redacted.Redacted
  /** Signs as the sign-in system does with this secret. */
  readonly sign: Signer
  /** Null for the newest, which ends only when it is replaced. */
  readonly until: Instant | null
}

/** A hook with its secrets. One that no master secret of this process opens is left out: it signs nothing. */
export interface OpenHook {
  readonly hook: Hook
  readonly secrets: ReadonlyArray<OpenSecret>
}

/** The hooks that this process received requests for, so that a request reads and opens nothing. */
export class HookCache extends Context.Service<
  HookCache,
  {
    /** The hook as it was at most 3 seconds ago. */
    readonly get: (id: string) => Effect.Effect<OpenHook | null, StoreError>
    /** The hook as it is now. */
    readonly load: (id: string) => Effect.Effect<OpenHook | null, StoreError>
    /** Drops a hook after a change of this process. */
    readonly forget: (id: string) => Effect.Effect<void>
  }
>()("@countersign/core/hook/HookCache") {
  static readonly layer: Layer.Layer<HookCache, never, HookStore | Keyring> = Layer.effect(
    HookCache,
    Effect.gen(function* () {
      const keyring = yield* Keyring
      const store = yield* HookStore

      const open = ({ kind }: Hook, sealed: string, until: Instant | null) =>
        Seal.open(keyring, "hook-secret", sealed).pipe(
          Effect.map((text): ReadonlyArray<OpenSecret> => {
            const sign = hookKinds[kind].signed.signerOf(text)
            return sign === null ? [] : [{ text: Redacted.make(text), sign, until }]
          }),
          Effect.catchTag("SealBroken", () => Effect.succeed([]))
        )

      const load = Effect.fnUntraced(function* (id: string): Effect.fn.Return<OpenHook | null, StoreError> {
        const hook = yield* store.get(id)
        if (hook === null) return null
        const opened = yield* Effect.forEach([{ sealed: hook.sealed, until: null }, ...hook.previous], (secret) =>
          open(hook, secret.sealed, secret.until)
        )
        return { hook, secrets: opened.flat() }
      })

      const cache = yield* SteadyCache.make(load, { capacity, timeToLive })
      return HookCache.of({ get: cache.get, load, forget: cache.forget })
    })
  )
}
