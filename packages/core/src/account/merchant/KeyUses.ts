import { Context, Effect, Latch, Layer } from "effect"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import { hours, type Instant } from "../../foundation/time/Instant.ts"
import { KeyStore } from "./KeyStore.ts"

/** How long a use waits before it is stored. A crash loses at most this much. */
const interval = "10 seconds"
const hour = hours(1)

/**
 * The last use of each key, to the hour. A request only checks whether its key was used in this hour. A separate fiber
 * stores the first use of an hour, many keys in one statement. So each process writes a key once an hour, and no
 * request waits for it.
 */
export class KeyUses extends Context.Service<
  KeyUses,
  {
    readonly note: (id: string, now: Instant) => void
    /** The hour of a use that this process has not written down yet. */
    readonly unwritten: (id: string) => Instant | null
  }
>()("@countersign/core/merchant/KeyUses") {
  static readonly layer: Layer.Layer<KeyUses, never, KeyStore> = Layer.effect(
    KeyUses,
    Effect.gen(function* () {
      const store = yield* KeyStore
      const unwritten = new Map<string, Instant>()
      const seen = new Set<string>()
      /** Open while a use is not stored yet: without uses, no timer runs. */
      const pending = Latch.makeUnsafe(false)
      let current = 0

      const write = Effect.suspend(() => {
        pending.closeUnsafe()
        if (unwritten.size === 0) return Effect.void
        const uses = Array.from(unwritten, ([id, hour]) => ({ id, hour }))
        return store.used(uses).pipe(
          Effect.tap(() =>
            Effect.sync(() => {
              // Another hour may have begun during the statement: that use still has to be stored.
              for (const { hour, id } of uses) if (unwritten.get(id) === hour) unwritten.delete(id)
            })
          ),
          Effect.catch((error) =>
            Effect.andThen(pending.open, logStoreError("The last use of keys was not recorded", error))
          )
        )
      })

      yield* Effect.addFinalizer(() => write)
      yield* Effect.andThen(pending.await, Effect.delay(write, interval)).pipe(Effect.forever, Effect.forkScoped)

      return KeyUses.of({
        note: (id, now) => {
          const started = now - (now % hour)
          if (started !== current) {
            current = started
            seen.clear()
          }
          if (seen.has(id)) return
          seen.add(id)
          unwritten.set(id, started)
          pending.openUnsafe()
        },
        unwritten: (id) => unwritten.get(id) ?? null
      })
    })
  )
}
