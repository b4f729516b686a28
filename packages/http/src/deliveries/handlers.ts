import { Instant, type Relayed, Relays } from "@countersign/core"
import { Effect } from "effect"
import type { errors as auth } from "../auth/errors.ts"
import type { errors as billing } from "../billing/errors.ts"
import type { Handlers } from "../Handlers.ts"
import type { DeliveryAnswer, DeliveryApi } from "./contract.ts"

const answerOf = ({ deliveries, deliveryStatus, expiresAt, id }: Relayed): typeof DeliveryAnswer.Type => ({
  id,
  deliveryStatus,
  expiresAt: Instant.toIso(expiresAt),
  deliveries: deliveries.map(({ attemptNumber, carrier, channel, providerCode, status, type }) => ({
    channel,
    type,
    deliveryStatus: status,
    attemptNumber,
    carrier: carrier ?? null,
    providerCode: status === "FAILED" ? providerCode : null
  }))
})

/** Answers `/v1/deliveries`. */
export const make = Effect.gen(function* () {
  const relays = yield* Relays
  const handlers: Handlers<typeof DeliveryApi, typeof auth | typeof billing> = {
    create: ({ caller, idempotencyKey, payload }) =>
      Effect.map(relays.relay(caller, { ...payload, idempotencyKey }), answerOf),
    get: ({ caller, params }) => Effect.map(relays.get(caller, params.id), answerOf)
  }
  return handlers
})
