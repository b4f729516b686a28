import { Effect, Predicate } from "effect"
import { StoreError } from "./StoreError.ts"

/** Whether something failed because storage cannot be reached, which the operator hears of once. */
export const isAway = (failure: unknown): boolean => failure instanceof StoreError && failure.away === true

/** Postgres' own code, which says what is wrong and quotes nothing. */
const sqlStateOf = (cause: unknown): { readonly sqlState?: string } =>
  Predicate.hasProperty(cause, "sqlState") && typeof cause.sqlState === "string" ? { sqlState: cause.sqlState } : {}

/**
 * Tells the operator that storage did not do something. While storage is away this is only for debugging: a line for
 * each request and each look for work would bury the one that says so.
 */
export const logStoreError = (
  message: string,
  { away, cause, operation }: StoreError,
  more: { readonly [name: string]: string } = {}
): Effect.Effect<void> => {
  const known = { operation, ...sqlStateOf(cause), ...more }
  return away === true ? Effect.logDebug(message, known) : Effect.logWarning(message, known)
}
