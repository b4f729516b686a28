import { Effect, Layer } from "effect"
import { ErasedWriters } from "../../engagement/lead/ErasedWriters.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import { personOf, wasThere } from "./Erasure.ts"
import { ErasureStore } from "./ErasureStore.ts"
import { Erasures } from "./Erasures.ts"
import * as Erasing from "./Erasing.ts"
import { Exports } from "./Exports.ts"

/** Access to personal data: export and erasure. */
export const layer = Layer.mergeAll(Erasures.layerNoDeps, Exports.layerNoDeps, Erasing.layer)

/**
 * Tells the inbox which customers were erased while their messages still waited. An erasure keeps only an HMAC of the
 * person.
 */
export const writers: Layer.Layer<ErasedWriters, never, ErasureStore | Keyring> = Layer.effect(
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
