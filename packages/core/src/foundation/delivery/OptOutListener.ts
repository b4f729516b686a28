import { Context, Effect } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * Records that a person told a provider to stop messages, reported by a channel with `because: "opted_out"`. The number
 * is E.164 with `+`. `at` is the latest possible time of the request. Without a listener nothing is recorded.
 */
export const OptOutListener = Context.Reference<{
  readonly optedOut: (environment: string, phone: string, at: Instant) => Effect.Effect<void, StoreError>
}>("@countersign/core/delivery/OptOutListener", { defaultValue: () => ({ optedOut: () => Effect.void }) })
