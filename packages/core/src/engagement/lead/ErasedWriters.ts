import { Context, Effect, Layer } from "effect"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** Whether the person with this number was erased after what they wrote had arrived, at `arrivedAt`. */
export type IsErased = (phone: string | null, arrivedAt: Instant) => boolean

/** Which customers were erased while what they wrote still waited. */
export class ErasedWriters extends Context.Service<
  ErasedWriters,
  {
    /** The erasures of an environment that began at `earliest` or later; null where there were none. */
    readonly since: (environment: string, earliest: Instant, now: Instant) => Effect.Effect<IsErased | null, StoreError>
  }
>()("@countersign/core/lead/ErasedWriters") {
  /** Nobody is erased. */
  static readonly layerNone: Layer.Layer<ErasedWriters> = Layer.succeed(
    ErasedWriters,
    ErasedWriters.of({ since: () => Effect.succeed(null) })
  )
}
