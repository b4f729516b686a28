import { Context, Effect, Layer } from "effect"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Inbound } from "./Inbound.ts"

/**
 * Whoever takes what people write to us.
 *
 * @example
 * ```ts
 * import { InboundListener } from "@countersign/core/channel"
 * import { Effect, Layer } from "effect"
 *
 * // As `inbound` of `Core.layer`:
 * const inbound = Layer.succeed(
 *   InboundListener,
 *   InboundListener.of({ take: (messages) => Effect.log(`${messages.length} messages`) })
 * )
 * ```
 */
export class InboundListener extends Context.Service<
  InboundListener,
  {
    /**
     * Takes what one callback brought, after its receipts are committed. It must be kept when this succeeds: the
     * provider hears only then that all is well, and repeats the whole callback otherwise. Repeats are normal.
     */
    readonly take: (inbound: ReadonlyArray<Inbound>) => Effect.Effect<void, Contended | StoreError>
  }
>()("@countersign/core/delivery/InboundListener") {
  /** Nobody reads what people write: it is dropped, and its callback answered as if it were kept. */
  static readonly layerNone: Layer.Layer<InboundListener> = Layer.succeed(
    InboundListener,
    InboundListener.of({ take: () => Effect.void })
  )
}
