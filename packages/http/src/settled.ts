import { describeCause } from "@countersign/core"
import { logStoreError } from "@countersign/core/storage"
import { Cause, Effect } from "effect"
import { defect, type Failure, toResponse } from "./wire.ts"
import type { TextResponse, WireResponse } from "./WireResponse.ts"

/**
 * Whether a provider is away. Whoever asked it has said so: a line for each request that comes meanwhile would bury that
 * one, and let everybody with the public key fill a disk.
 */
const isProviderAway = ({ _tag }: Failure): boolean => _tag === "ProofUnavailable" || _tag === "ProviderUnavailable"

/** Whatever happened, as an answer. What the caller cannot mend is logged for the operator. */
export const settled = <R extends WireResponse>(effect: Effect.Effect<R, Failure>): Effect.Effect<R | TextResponse> =>
  Effect.catchCause(effect, (cause) => {
    const failure = Cause.findErrorOption(cause)
    if (failure._tag === "Some") {
      const response = toResponse(failure.value)
      const { value } = failure
      // Not being ready is the answer that was asked for.
      if (response.status < 500 || value._tag === "NotReady") return Effect.succeed(response)
      if (isProviderAway(value))
        return Effect.as(Effect.logDebug("A request could not be served", describeCause(cause)), response)
      return value._tag === "StoreError"
        ? Effect.as(logStoreError("A request could not be served", value), response)
        : Effect.as(Effect.logWarning("A request could not be served", describeCause(cause)), response)
    }
    return Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.as(Effect.logError("A request met a defect", describeCause(cause)), defect)
  })
