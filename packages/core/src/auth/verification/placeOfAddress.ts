import type { Effect } from "effect"
import type { Limits, Seen } from "../../foundation/limit/Limits.ts"
import { placesOfAddress } from "../../foundation/limit/placesOfAddress.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/**
 * Whether an address has a place in the hour for what the public key lets it do: as many of each kind (`key`) as it may
 * initiate. Nothing is taken by looking. A connection that was reset early reports no address: all of those share one
 * hour.
 */
export const placeOfAddress = (
  limits: Limits["Service"],
  key: string,
  { environment, settings }: Caller,
  address: string | null
): Effect.Effect<Seen, RateLimited | StoreError> =>
  limits.look(environment, placesOfAddress(address, { key, most: settings.sdkInitiatesPerIpPerHour, limit: "address" }))
