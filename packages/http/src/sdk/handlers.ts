import {
  type AdmittedProof,
  type Initiated,
  Instant,
  inField,
  type InvalidField,
  Links,
  NumberVerifications,
  SdkSessions
} from "@countersign/core"
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

/** A proof can be used once, so each request is executed only once, also without an idempotency key. */
const answered = (verify: AdmittedProof) => () =>
  Effect.map(verify, ({ verification, verified }) => ({ verified, requestId: verification.id }))

/** Renames the field for requests that have the proof's fields at the top level. */
const flat = (refused: InvalidField) =>
  Effect.fail(inField(refused.field === "proof" ? "code" : refused.field.replace(/^proof\./, ""))(refused))

/** Answers `/v1/sdk/*`. */
export const make = Effect.gen(function* () {
  const sessions = yield* SdkSessions
  const links = yield* Links
  const numbers = yield* NumberVerifications
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
    verifyNumber: ({ caller, clientAddress, params, payload }) =>
      Effect.map(numbers.verify(caller, { ...payload, verifier: params.verifier }, clientAddress), answered),
    startNumber: ({ caller, clientAddress, params, payload }) =>
      Effect.map(
        numbers.start(caller, { ...payload, verifier: params.verifier }, clientAddress),
        (start) => () => start
      ),
    truecaller: ({ caller, clientAddress, payload: { code, codeVerifier, ...rest } }) =>
      numbers.verify(caller, { verifier: "TRUECALLER", proof: { code, codeVerifier }, ...rest }, clientAddress).pipe(
        Effect.map((verify) => answered(Effect.catchTag(verify, "InvalidField", flat))),
        Effect.catchTag("InvalidField", flat)
      ),
    status: Effect.fnUntraced(function* ({ caller, query }) {
      const verification = yield* sessions.status(caller, query.sessionId)
      const { matchNumber } = yield* links.shown(caller, verification)
      return {
        sessionId: verification.id,
        authStatus: verification.status,
        expiresAt: Instant.toIso(verification.expiresAt),
        ...(matchNumber === null ? {} : { matchNumber })
      }
    })
  }
  return handlers
})
