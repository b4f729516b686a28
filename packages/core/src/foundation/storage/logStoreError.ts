import { Effect, Predicate } from "effect"
import { StoreError } from "./StoreError.ts"

/** Whether the failure means that storage is unreachable, which the adapter logs once. */
export const isAway = (failure: unknown): boolean => failure instanceof StoreError && failure.away === true

/** The Postgres error code, which identifies the error and contains no data. */
const sqlStateOf = (cause: unknown): { readonly sqlState?: string } =>
  Predicate.hasProperty(cause, "sqlState") && typeof cause.sqlState === "string" ? { sqlState: cause.sqlState } : {}

/**
 * Logs that a storage operation failed. Uses the debug level while storage is unreachable: a line per request and poll
 * would hide the adapter's own message.
 */
export const logStoreError = (
  message: string,
  { away, cause, operation }: StoreError,
  more: { readonly [name: string]: string } = {}
): Effect.Effect<void> => {
  const known = { operation, ...sqlStateOf(cause), ...more }
  return away === true ? Effect.logDebug(message, known) : Effect.logWarning(message, known)
}
