import { Effect, Layer } from "effect"
import { ErasedWriters } from "../lead/ErasedWriters.ts"
import { Keyring } from "../secret/Keyring.ts"
import { personOf, wasThere } from "./Erasure.ts"
import { ErasureStore } from "./ErasureStore.ts"

/** Compares who wrote with the erasures that have begun. An erasure keeps an HMAC of the person alone. */
export const layer: Layer.Layer<ErasedWriters, never, ErasureStore | Keyring> = Layer.effect(
  ErasedWriters,
  Effect.gen(function* () {
    const keyring = yield* Keyring
    const store = yield* ErasureStore
    return ErasedWriters.of({
      since: (environment, earliest, now) =>
        Effect.map(store.since(environment, earliest), (begun) => {
          if (begun.length === 0) return null
          return (phone, arrivedAt) => {
            if (phone === null) return false
            const names = keyring.all.map((key) => personOf(key, environment, phone))
            return begun.some(({ person, startedAt }) => names.includes(person) && wasThere(arrivedAt, startedAt, now))
          }
        })
    })
  })
)
