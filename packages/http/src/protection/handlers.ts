import { Currency, Instant, Protection } from "@countersign/core"
import { Effect } from "effect"
import type { errors as billing } from "../billing/errors.ts"
import type { errors as dashboard } from "../dashboard/errors.ts"
import type { Handlers } from "../Handlers.ts"
import type { ProtectionApi } from "./contract.ts"

/** Answers `/v1/dashboard/protection`. */
export const make = Effect.gen(function* () {
  const { code: currency } = yield* Currency
  const protection = yield* Protection
  const handlers: Handlers<typeof ProtectionApi, typeof billing | typeof dashboard> = {
    get: ({ caller, query }) =>
      Effect.map(protection.view(caller, query), ({ trips, ...view }) => ({
        currency,
        trips: trips.map((trip) => ({ ...trip, since: Instant.toIso(trip.since), until: Instant.toIso(trip.until) })),
        ...view
      })),
    enforce: ({ caller, params }) => protection.enforce(caller, params.reason),
    undo: ({ caller, params }) => protection.undo(caller, params.reason),
    letThrough: ({ caller, params, payload }) => protection.letThrough(caller, params, { safe: payload.safe ?? false })
  }
  return handlers
})
