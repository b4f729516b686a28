import { Attribution } from "@countersign/core"
import { Effect } from "effect"
import { type Handlers, unwritten } from "../Handlers.ts"
import type { errors as auth } from "../auth/errors.ts"
import type { AttributionApi } from "./contract.ts"

const nothing = unwritten({ recorded: false, launchId: null, launchToken: null })

/** Answers `/v1/sdk/attribution/*` and the report. */
export const make = Effect.gen(function* () {
  const attribution = yield* Attribution
  const handlers: Handlers<typeof AttributionApi, typeof auth> = {
    launch: ({ caller, clientAddress, payload }) =>
      Effect.map(attribution.admitLaunch(caller, payload, clientAddress), (record) =>
        record === null
          ? nothing
          : (idempotencyKey) => Effect.map(record(idempotencyKey), (launch) => ({ recorded: true, ...launch }))
      ),
    withdraw: ({ bearerToken, caller, params }) =>
      Effect.succeed(() => attribution.withdraw(caller, params.id, bearerToken())),
    conversion: ({ caller, clientAddress, payload }) =>
      Effect.map(
        attribution.admitConversion(caller, payload, clientAddress),
        (record) => (idempotencyKey) =>
          Effect.map(record(idempotencyKey), (conversion) => ({ recorded: true as const, ...conversion }))
      ),
    report: ({ caller, query }) => attribution.report(caller, query)
  }
  return handlers
})
