import { type Initiated, Instant, Links, Proofs, SdkSessions } from "@countersign/core"
import { Effect } from "effect"
import type { SdkApi } from "./contract.ts"
import type { Handlers } from "../Handlers.ts"
import type { errors } from "./errors.ts"
import type { errors as billing } from "../billing/errors.ts"
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
  const links = yield* Links
  const proofs = yield* Proofs
  const handlers: Handlers<typeof SdkApi, typeof errors | typeof auth | typeof billing> = {
    initiate: ({ caller, clientAddress, payload }) =>
      Effect.map(
        sessions.admit(caller, payload, clientAddress),
        (start) => (idempotencyKey) => Effect.map(start(idempotencyKey), started)
      ),
    verify: ({ caller, payload }) =>
      Effect.map(sessions.verify(caller, payload), ({ verification, verified }) => ({
        verified,
        requestId: verification.id
      })),
    truecaller: ({ caller, clientAddress, payload }) =>
      Effect.map(
        proofs.truecaller(caller, payload, clientAddress),
        // A code is good once, so a request that is repeated without a key is asked once, too.
        (prove) => () => Effect.map(prove, ({ verification, verified }) => ({ verified, requestId: verification.id }))
      ),
    status: Effect.fnUntraced(function* ({ caller, query }) {
      const { status, verification } = yield* sessions.status(caller, query.sessionId)
      const { matchNumber } = yield* links.shown(caller, verification)
      return {
        sessionId: verification.id,
        authStatus: status,
        expiresAt: Instant.toIso(verification.expiresAt),
        ...(matchNumber === null ? {} : { matchNumber })
      }
    })
  }
  return handlers
})
