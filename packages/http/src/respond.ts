import { describeCause } from "@countersign/core"
import { logStoreError } from "@countersign/core/storage"
import { Cause, Effect } from "effect"
import { defect, type Failure, toResponse } from "./wire.ts"
import type { TextResponse, WireResponse } from "./WireResponse.ts"

/**
 * Whether a provider is unreachable. The code that called it has already logged this. A line per request would bury that
 * one, and would let anyone with the public key fill a disk.
 */
const isProviderAway = ({ _tag }: Failure): boolean => _tag === "ProofUnavailable" || _tag === "ProviderUnavailable"

/** Turns every outcome into an answer. Logs failures that the caller cannot fix. */
export const respond = <R extends WireResponse>(effect: Effect.Effect<R, Failure>): Effect.Effect<R | TextResponse> =>
  Effect.catchCause(effect, (cause) => {
    const failure = Cause.findErrorOption(cause)
    if (failure._tag === "Some") {
      const response = toResponse(failure.value)
      const { value } = failure
      // A readiness check that answers "not ready" is not a failure.
      if (response.status < 500 || value._tag === "NotReady") return Effect.succeed(response)
      if (isProviderAway(value)) return Effect.as(Effect.logDebug("A request failed", describeCause(cause)), response)
      return value._tag === "StoreError"
        ? Effect.as(logStoreError("A request failed", value), response)
        : Effect.as(Effect.logWarning("A request failed", describeCause(cause)), response)
    }
    return Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.as(Effect.logError("A request failed with a defect", describeCause(cause)), defect)
  })
