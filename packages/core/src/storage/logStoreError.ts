import { Effect } from "effect"
import type { StoreError } from "./StoreError.ts"

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
