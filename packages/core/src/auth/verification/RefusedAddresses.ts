import { Context, Effect, Layer } from "effect"
import { LocalCounts } from "../../foundation/limit/LocalCounts.ts"
import { placesOfAddress } from "../../foundation/limit/placesOfAddress.ts"
import { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { steadyNow } from "../../foundation/time/steadyTime.ts"

/** How many refusals an address may collect, as a multiple of its hourly request limit. */
const refusalsForEach = 10

/**
 * Limits how often an address may be refused with the public key, because that key is public. Once an address exceeds
 * the limit, every request fails before any other check, for an hour after its first refusal. Each process counts in
 * memory, so a flood writes nothing.
 *
 * @example
 * ```ts
 * import { type Caller, RefusedAddresses } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const serve = (caller: Caller, address: string | null, answer: Effect.Effect<{ readonly status: number }>) =>
 *   Effect.flatMap(RefusedAddresses, (addresses) =>
 *     addresses.limit(caller, address, answer, ({ status }) => status >= 400 && status < 500)
 *   )
 * // fails with RateLimited at the 301st time that an address is refused, if it may initiate 30 times an hour
 * ```
 */
export class RefusedAddresses extends Context.Service<
  RefusedAddresses,
  {
    /**
     * Runs a request unless its address has too many refusals, and counts the answer if it is a refusal. All requests
     * without a known address share one limit.
     */
    readonly limit: <A>(
      caller: Caller,
      address: string | null,
      request: Effect.Effect<A>,
      isRefusal: (answer: A) => boolean,
      /** The kind of request to count, and its hourly limit per address. Null counts initiates. */
      among?: { readonly name: string; readonly places: number } | null
    ) => Effect.Effect<A, RateLimited>
  }
>()("@countersign/core/verification/RefusedAddresses") {
  static readonly layer: Layer.Layer<RefusedAddresses> = Layer.sync(RefusedAddresses, () => {
    const refusals = new LocalCounts()
    return RefusedAddresses.of({
      limit: Effect.fnUntraced(function* ({ environment, settings }, address, request, isRefusal, among = null) {
        const most = refusalsForEach * (among?.places ?? settings.sdkInitiatesPerIpPerHour)
        const key = `${environment}/${among?.name ?? ""}`
        const places = placesOfAddress(address, { key, most, limit: "refusals" })
        const now = yield* steadyNow
        for (const place of places) {
          const retryAfterSeconds = refusals.secondsUntilFree(place.key, place.most, now)
          if (retryAfterSeconds === null) continue
          return yield* new RateLimited({ limit: place.limit, retryAfterSeconds, requestId: null })
        }
        const answer = yield* request
        if (isRefusal(answer)) {
          const refusedAt = yield* steadyNow
          for (const place of places) refusals.count(place.key, refusedAt)
        }
        return answer
      })
    })
  })
}
