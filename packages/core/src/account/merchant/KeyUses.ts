import { Context, Effect, Latch, Layer } from "effect"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import { hours, type Instant } from "../../foundation/time/Instant.ts"
import { KeyStore } from "./KeyStore.ts"

/** How long a use waits to be written down. A process that is killed forgets this much. */
const interval = "10 seconds"
const hour = hours(1)

/**
 * When each key was last used, to the hour. A request only looks whether its key was seen in this hour; the first one
 * of an hour is written down by a fiber of its own, many keys in one statement. So a key is written once an hour by
 * each process that sees it, and no request waits for that.
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
      /** Open while something is unwritten: nobody looks at a clock where no key is used. */
      const pending = Latch.makeUnsafe(false)
      let current = 0

      const write = Effect.suspend(() => {
        pending.closeUnsafe()
        if (unwritten.size === 0) return Effect.void
        const uses = Array.from(unwritten, ([id, hour]) => ({ id, hour }))
        return store.used(uses).pipe(
          Effect.tap(() =>
            Effect.sync(() => {
              // Another hour may have begun while the statement was under way: that use is still to be written.
              for (const { hour, id } of uses) if (unwritten.get(id) === hour) unwritten.delete(id)
            })
          ),
          Effect.catch((error) =>
            Effect.andThen(pending.open, logStoreError("The last use of keys was not written down", error))
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
