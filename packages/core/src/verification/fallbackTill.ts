import { Effect } from "effect"
import type { BalanceStore } from "../billing/BalanceStore.ts"
import { loadTill, noPrices, type Till } from "../billing/Till.ts"
import type { Merchants } from "../merchant/Merchants.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"
import { canFallBack } from "./fallback.ts"
import type { Verification } from "./Verification.ts"

/** What a fallback could be paid with. Nothing is asked of storage where none can follow. */
export const fallbackTill = (
  {
    balances,
    merchants
  }: {
    readonly balances: BalanceStore["Service"]
    readonly merchants: Merchants["Service"]
  },
  verification: Verification,
  now: Instant
): Effect.Effect<Till, StoreError> =>
  canFallBack(verification, now)
    ? Effect.flatMap(merchants.environment(verification.environment), (environment) =>
        // A suspended merchant's messages are not sent, whatever they cost.
        environment === null ? Effect.succeed(noPrices) : loadTill(balances, environment, now)
      )
    : Effect.succeed(noPrices)
