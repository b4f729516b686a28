import { Currency, Protection } from "@countersign/core"
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
    get: ({ caller, query }) => Effect.map(protection.view(caller, query), (view) => ({ currency, ...view })),
    enforce: ({ caller, params }) => protection.enforce(caller, params.reason),
    undo: ({ caller, params }) => protection.undo(caller, params.reason)
  }
  return handlers
})
