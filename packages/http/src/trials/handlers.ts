import { TryIt } from "@countersign/core"
import { Effect } from "effect"
import type { errors as auth } from "../auth/errors.ts"
import type { errors as billing } from "../billing/errors.ts"
import type { Handlers } from "../Handlers.ts"
import type { TrialApi } from "./contract.ts"

/** Answers `/v1/dashboard/try`. */
export const make = Effect.gen(function* () {
  const tryIt = yield* TryIt
  const handlers: Handlers<typeof TrialApi, typeof auth | typeof billing> = {
    start: ({ caller, idempotencyKey, payload }) =>
      Effect.map(tryIt.start(caller, payload, idempotencyKey), ({ id }) => ({ requestId: id })),
    verify: ({ caller, params, payload }) =>
      Effect.map(tryIt.verify(caller, params.requestId, payload.otp), ({ attemptsLeft, verification, verified }) => ({
        requestId: verification.id,
        verified,
        authStatus: verification.status,
        attemptsLeft
      }))
  }
  return handlers
})
