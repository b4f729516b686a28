import type { Effect } from "effect"
import type { Limits, Place, Seen } from "../../foundation/limit/Limits.ts"
import { placesOfAddress } from "../../foundation/limit/placesOfAddress.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/**
 * Checks whether an address has used up its hourly limit for what the public key allows. Each kind (`key`) has the same
 * limit as initiates. The check itself counts nothing. A connection that was reset early has no address: all of those
 * share one limit.
 */
export const placeOfAddress = (
  limits: Limits["Service"],
  key: string,
  { environment, settings }: Caller,
  address: string | null,
  /** Further places that the request takes. */
  more: ReadonlyArray<Place> = []
): Effect.Effect<Seen, RateLimited | StoreError> =>
  limits.look(environment, [
    ...placesOfAddress(address, { key, most: settings.sdkInitiatesPerIpPerHour, limit: "address" }),
    ...more
  ])
