import { Context, Effect, Layer } from "effect"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** Whether the person with this number was erased after `arrivedAt`, when their message arrived. */
export type IsErased = (phone: string | null, arrivedAt: Instant) => boolean

/** Finds customers who were erased while their messages were waiting. */
export class ErasedWriters extends Context.Service<
  ErasedWriters,
  {
    /** The erasures in an environment since `earliest`; null when there were none. */
    readonly since: (environment: string, earliest: Instant, now: Instant) => Effect.Effect<IsErased | null, StoreError>
  }
>()("@countersign/core/lead/ErasedWriters") {
  /** For servers without erasure. */
  static readonly layerNone: Layer.Layer<ErasedWriters> = Layer.succeed(
    ErasedWriters,
    ErasedWriters.of({ since: () => Effect.succeed(null) })
  )
}
