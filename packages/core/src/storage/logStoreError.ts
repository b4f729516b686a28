import { Effect } from "effect"
import { StoreError } from "./StoreError.ts"

/** Whether something failed because storage cannot be reached, which the operator hears of once. */
export const isAway = (failure: unknown): boolean => failure instanceof StoreError && failure.away === true

/**
 * Tells the operator that storage did not do something. While storage is away this is only for debugging: a line for
 * each request and each look for work would bury the one that says so.
 */
export const logStoreError = (
  message: string,
  { away, operation }: StoreError,
  more: { readonly [name: string]: string } = {}
): Effect.Effect<void> =>
  away === true ? Effect.logDebug(message, { operation, ...more }) : Effect.logWarning(message, { operation, ...more })
