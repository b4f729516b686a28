import { type Initiated, Instant, SdkSessions } from "@countersign/core"
import { Effect } from "effect"
import type { SdkApi } from "./contract.ts"
import type { Handlers } from "../Handlers.ts"
import type { errors } from "./errors.ts"
import type { errors as auth } from "../auth/errors.ts"

const started = ({ deviceToken, oneTapApplied, verification }: Initiated) => ({
  sessionId: verification.id,
  channel: verification.channel.toLowerCase(),
  codeLength: verification.codeLength,
  expiresAt: Instant.toIso(verification.expiresAt),
  oneTapApplied,
  deviceToken
})

/** Answers `/v1/sdk/*`: calls core, and puts what it answers into the form of the contract. */
export const make = Effect.gen(function* () {
  const sessions = yield* SdkSessions
  const handlers: Handlers<typeof SdkApi, typeof errors | typeof auth> = {
    session: Effect.fnUntraced(function* ({ caller, payload }) {
      const { expiresAt, expiresIn, scope, token } = yield* sessions.create(caller, payload)
      return {
        sessionToken: token,
        scope,
        expiresIn,
        expiresAt: Instant.toIso(expiresAt)
      }
    }),
    initiate: ({ caller, clientAddress, payload }) =>
      Effect.map(
        sessions.admit(caller, payload, clientAddress),
        (start) => (idempotencyKey) => Effect.map(start(idempotencyKey), started)
      ),
    verify: ({ caller, payload }) =>
      Effect.map(sessions.verify(caller, payload), ({ verification, verified }) => ({
        verified,
        requestId: verification.id
      }))
  }
  return handlers
})
