import { Context, Effect } from "effect"
import type { StoreError } from "../storage/StoreError.ts"

/**
 * Records that a person told a provider to stop messages, as its channel reported with `because: "opted_out"`. The number
 * is E.164 with `+`. Without a listener nothing is recorded.
 */
export const OptOutListener = Context.Reference<{
  readonly optedOut: (environment: string, phone: string) => Effect.Effect<void, StoreError>
}>("@countersign/core/delivery/OptOutListener", { defaultValue: () => ({ optedOut: () => Effect.void }) })
