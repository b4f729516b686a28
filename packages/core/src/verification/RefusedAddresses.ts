import { Context, Effect, Layer } from "effect"
import { networkOf, unknownNetwork } from "../identity/IpAddress.ts"
import { Refusals } from "../limit/Refusals.ts"
import type { Caller } from "../merchant/Caller.ts"
import { steadyNow } from "../time/steadyTime.ts"
import { RateLimited } from "./VerificationError.ts"

/** How often an address may be refused for each request of a kind that it has in the hour. */
const refusalsForEach = 10

/**
 * Limits how often an address may be refused with the public key, which everybody has. An address that goes on being
 * refused is told so before anything else is looked at, for an hour after its first refusal. Each process counts for
 * itself, in memory, so that a flood writes nothing.
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
     * Runs a request, unless its address was refused too often, and counts it when its answer is a refusal. All whose
     * address nobody knows count as one.
     */
    readonly limit: <A>(
      caller: Caller,
      address: string | null,
      request: Effect.Effect<A>,
      isRefusal: (answer: A) => boolean,
      /** Among which requests it counts, and how many of them an address has in the hour; null for initiates. */
      among?: { readonly name: string; readonly places: number } | null
    ) => Effect.Effect<A, RateLimited>
  }
>()("@countersign/core/verification/RefusedAddresses") {
  static readonly layer: Layer.Layer<RefusedAddresses> = Layer.sync(RefusedAddresses, () => {
    const refusals = new Refusals()
    return RefusedAddresses.of({
      limit: Effect.fnUntraced(function* ({ environment, settings }, address, request, isRefusal, among = null) {
        const network = address === null ? unknownNetwork : networkOf(address)
        const key = `${environment}/${among?.name ?? ""}/${network}`
        const most = refusalsForEach * (among?.places ?? settings.sdkInitiatesPerIpPerHour)
        const retryAfterSeconds = refusals.secondsUntilFree(key, most, yield* steadyNow)
        if (retryAfterSeconds !== null) {
          return yield* new RateLimited({ limit: "refusals", retryAfterSeconds, requestId: null })
        }
        const answer = yield* request
        if (isRefusal(answer)) refusals.count(key, yield* steadyNow)
        return answer
      })
    })
  })
}
