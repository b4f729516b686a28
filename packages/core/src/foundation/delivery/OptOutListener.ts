import { Context, Effect } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * Records that a person told a provider to stop messages, as its channel reported with `because: "opted_out"`. The number
 * is E.164 with `+`, and `at` is the latest moment at which they can have said so. Without a listener nothing is recorded.
 */
export const OptOutListener = Context.Reference<{
  readonly optedOut: (environment: string, phone: string, at: Instant) => Effect.Effect<void, StoreError>
}>("@countersign/core/delivery/OptOutListener", { defaultValue: () => ({ optedOut: () => Effect.void }) })
