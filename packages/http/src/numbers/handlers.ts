import { Instant, Numbers } from "@countersign/core"
import { Effect, Redacted } from "effect"
import type { Handlers } from "../Handlers.ts"
import type { NumberApi } from "./contract.ts"
import type { errors } from "./errors.ts"

const shown = ({ accountId, connectedAt, displayName, displayNumber, id }: Numbers.View) => ({
  id,
  wabaId: accountId,
  displayNumber,
  displayName,
  connectedAt: Instant.toIso(connectedAt)
})

/** Answers WhatsApp numbers of `/v1/dashboard`. */
export const make = Effect.gen(function* () {
  const numbers = yield* Numbers
  const handlers: Handlers<typeof NumberApi, typeof errors> = {
    connect: ({ caller, payload: { accessToken, phoneNumberId, wabaId } }) =>
      Effect.map(numbers.connect(caller, { phoneNumberId, wabaId, accessToken: Redacted.make(accessToken) }), shown),
    list: ({ caller }) => Effect.map(numbers.list(caller), (found) => ({ items: found.map(shown), nextCursor: null })),
    disconnect: ({ caller, params }) => numbers.disconnect(caller, params.id)
  }
  return handlers
})
