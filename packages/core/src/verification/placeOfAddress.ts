import { Effect } from "effect"
import { networkOf, unknownNetwork } from "../identity/IpAddress.ts"
import type { LimitReached, Limits, Taken } from "../limit/Limits.ts"
import type { Caller } from "../merchant/Caller.ts"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { RateLimited } from "./VerificationError.ts"

const tooMany = (error: LimitReached) =>
  new RateLimited({ limit: "address", retryAfterSeconds: error.retryAfterSeconds, requestId: null })

/** A place in an address's hour that was there when it was looked for. */
export interface PlaceOfAddress {
  readonly take: Effect.Effect<Taken, RateLimited | Contended | StoreError>
}

/**
 * Whether an address has a place in the hour for what the public key lets it do: as many of each kind (`name`) as it may
 * initiate. Nothing is taken by looking. A connection that was reset early reports no address: all of those share one
 * hour.
 */
export const placeOfAddress = (
  limits: Limits["Service"],
  name: string,
  { environment, settings }: Caller,
  address: string | null
): Effect.Effect<PlaceOfAddress, RateLimited | StoreError> =>
  limits
    .look(
      environment,
      `${name}:${address === null ? unknownNetwork : networkOf(address)}`,
      settings.sdkInitiatesPerIpPerHour
    )
    .pipe(
      Effect.catchTag("LimitReached", (error) => Effect.fail(tooMany(error))),
      Effect.map(({ take }) => ({
        take: Effect.catchTag(take, "LimitReached", (error) => Effect.fail(tooMany(error)))
      }))
    )
