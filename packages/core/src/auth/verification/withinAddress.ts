import { Effect } from "effect"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { Limits } from "../../foundation/limit/Limits.ts"
import { placesOfAddress } from "../../foundation/limit/placesOfAddress.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import type { Initiated, InitiateRefused } from "./startVerification.ts"

/**
 * Counts a send against the end user's address, as named by a backend. Reads nothing when the limit is off. `hasMark`:
 * the request has a key of its own by which an earlier try can be found.
 */
export const withinAddress = Effect.fnUntraced(function* (
  limits: Limits["Service"],
  { environment, settings: { hourlyLimitPerAddress: most } }: Caller,
  clientIp: string,
  start: (refusal?: RateLimited) => Effect.Effect<Initiated, InitiateRefused>,
  hasMark = false
) {
  if (most === 0) return yield* start()
  const places = placesOfAddress(clientIp, { key: "initiate", most, limit: "address" })
  const counted = Effect.flatMap(limits.look(environment, places), (hourlyLimit) =>
    hourlyLimit.during(start(), ({ oneTapApplied, repeated }) => !oneTapApplied && !repeated)
  )
  if (!hasMark && !(yield* RequestKey.isRepeat)) return yield* counted
  // The first try may have used the last place and sent its message, so a repeat must be able to find it. If the first
  // try was refused, the repeat is refused too.
  return yield* Effect.catchTag(counted, "RateLimited", (refusal) =>
    refusal.limit === "address" ? start(refusal) : Effect.fail(refusal)
  )
})
