import { Clock, Context, Deferred, Effect, Layer, Result } from "effect"
import { labelOf } from "../../foundation/delivery/ChannelName.ts"
import { type NumberVerifier, NumberVerifiers } from "../../foundation/delivery/NumberVerifier.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { Limits, type Seen } from "../../foundation/limit/Limits.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { ApproveOutcome } from "./approve.ts"
import { placeOfAddress } from "./placeOfAddress.ts"
import { shownAt, type Verification } from "./Verification.ts"
import { VerificationCommands } from "./VerificationCommands.ts"
import { ProofUnavailable, UnknownVerification, VerificationExpired } from "./VerificationError.ts"
import { VerificationStore } from "./VerificationStore.ts"
import * as AbsentVerifier from "./AbsentVerifier.ts"
import { makeCheckProof, type ProofRequest } from "./checkProof.ts"
import { type Answer, answerOf, VerifierGuard } from "./VerifierGuard.ts"
import * as SandboxVerifier from "./SandboxVerifier.ts"

/** What a proof came to. `verified` is false for ever when the number was another one. */
export interface NumberOutcome {
  readonly verification: Verification
  readonly verified: boolean
}

/** Why a proof comes to nothing, and the verification stays as it is. */
export type ProofRefused =
  | InvalidField
  | UnknownVerification
  | VerificationExpired
  | ProofUnavailable
  | RateLimited
  | Contended
  | StoreError

/** A proof that may be asked for. Asked twice at once with one code, the provider is asked once. */
export type AdmittedProof = Effect.Effect<NumberOutcome, ProofRefused>

/** A proof to ask a verifier about. */
interface Question {
  readonly verifier: NumberVerifier
  readonly guard: VerifierGuard
  /** As the verifier's schema reads it. */
  readonly payload: unknown
  /** As it was sent. */
  readonly proof: object
}

/** What is known of it without asking; null while the provider has to tell. At the millisecond of expiry it is over. */
const outcomeNow = (
  verification: Verification,
  now: number
): Result.Result<NumberOutcome | null, VerificationExpired> => {
  switch (shownAt(verification, now).status) {
    case "VERIFIED":
      return Result.succeed({ verification, verified: true })
    case "FAILED":
      return Result.succeed({ verification, verified: false })
    case "EXPIRED":
      return Result.fail(new VerificationExpired({ requestId: verification.id, undeliverable: false }))
    case "PENDING":
      return Result.succeed(null)
  }
}

/**
 * Verifies people by what a provider knows of them. The person consents in the provider's app, and the app brings a
 * code; whose number that code proves is asked of the provider, and only the very number that was to be verified
 * approves. The code itself belongs to no verification, so this comparison is the whole protection.
 *
 * @example
 * ```ts
 * import { type Caller, NumberVerifications } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const finish = Effect.fn(function* (app: Caller, sessionId: string, code: string, codeVerifier: string) {
 *   const numbers = yield* NumberVerifications
 *   const proof = { code, codeVerifier }
 *   const verify = yield* numbers.verify(app, { verifier: "TRUECALLER", sessionId, proof, state: sessionId }, null)
 *   const { verified } = yield* verify // asks Truecaller
 *   return verified
 * })
 * ```
 */
export class NumberVerifications extends Context.Service<
  NumberVerifications,
  {
    /**
     * Checks what an app brought, and writes nothing. What comes of it asks the verifier, once, and settles the
     * verification, which stays open where the verifier does not take the proof or cannot be understood. A verification
     * that was started for another verifier, or for none, is unknown here.
     */
    readonly verify: (
      caller: Caller,
      request: ProofRequest,
      /** Where the app called from. All whose address nobody knows count as one. */
      address: string | null
    ) => Effect.Effect<
      AdmittedProof,
      InvalidField | UnknownVerification | VerificationExpired | RateLimited | StoreError
    >
  }
>()("@countersign/core/verification/NumberVerifications") {
  static readonly layerNoDeps: Layer.Layer<
    NumberVerifications,
    never,
    Limits | NumberVerifiers | VerificationCommands | VerificationStore
  > = Layer.effect(
    NumberVerifications,
    Effect.gen(function* () {
      const limits = yield* Limits
      const verifiers = yield* NumberVerifiers
      const commands = yield* VerificationCommands
      const store = yield* VerificationStore
      const scope = yield* Effect.scope
      const asking = new Map(
        [AbsentVerifier.truecaller, ...verifiers.all].map((verifier) => [
          verifier.name,
          { verifier, check: makeCheckProof(verifier), guard: new VerifierGuard(verifier) }
        ])
      )
      /** What is being asked, by session and code. */
      const asked = new Map<string, Deferred.Deferred<NumberOutcome, ProofRefused>>()

      /** Only a merchant's backend starts verifications for a verifier. */
      const find = Effect.fnUntraced(function* (environment: string, id: string, verifier: string) {
        const found = Identifier.is("ver", id) ? yield* store.find(environment, id) : null
        return found?.kind === "Number" && found.channel === verifier ? found : yield* new UnknownVerification()
      })

      const current = Effect.fnUntraced(function* (environment: string, id: string, verifier: string) {
        const verification = yield* find(environment, id, verifier)
        const outcome = yield* Effect.fromResult(outcomeNow(verification, yield* Clock.currentTimeMillis))
        return { verification, outcome }
      })

      const ask = (
        { environment, kind }: Caller,
        { identity: { canonical } }: Verification,
        { guard, payload, proof, verifier }: Question
      ): Effect.Effect<Answer> =>
        kind === "test"
          ? Effect.match(SandboxVerifier.verify(verifier.name, canonical, proof), {
              onSuccess: (proved): Answer => ({ _tag: "Proved", proof: proved }),
              onFailure: answerOf
            })
          : guard.ask(environment, payload, canonical)

      const outcomeOf = (
        approved: ApproveOutcome | null
      ): Effect.Effect<NumberOutcome, UnknownVerification | VerificationExpired> => {
        if (approved === null) return Effect.fail(new UnknownVerification())
        const { _tag, verification } = approved
        if (_tag === "Over" && verification.status !== "FAILED") {
          return Effect.fail(new VerificationExpired({ requestId: verification.id, undeliverable: false }))
        }
        return Effect.succeed({ verification, verified: _tag === "Approved" || _tag === "Already" })
      }

      const prove = Effect.fnUntraced(function* (
        caller: Caller,
        verification: Verification,
        question: Question,
        place: Seen
      ) {
        const { id, identity } = verification
        const { verifier } = question
        // A question that the provider answered has cost it something; one that it did not was in vain.
        const answer = yield* place.during(ask(caller, verification, question), ({ _tag }) => _tag !== "Unavailable")
        if (answer._tag === "Proved") {
          const { isVerified, phone } = answer.proof
          return yield* outcomeOf(
            yield* commands.approve(caller.environment, id, {
              method: verifier.name,
              isRight: () => isVerified && phone === identity.canonical
            })
          )
        }
        // Another request, or another process, may have used this proof up in the meantime, and for this very person.
        const meanwhile = yield* current(caller.environment, id, verifier.name)
        if (meanwhile.outcome !== null) return meanwhile.outcome
        const label = labelOf(verifier)
        if (answer._tag === "Unavailable") {
          return yield* new ProofUnavailable({ provider: label, retryAfterSeconds: answer.retryAfterSeconds })
        }
        const usual = `is not taken by ${label}: a proof is good once and for a short time. Start again in the app`
        return yield* new InvalidField({ field: "proof", problem: verifier.refusal ?? usual })
      })

      /**
       * One question for one proof, whoever waits for its answer. An app that hangs up takes nothing back: the proof is
       * used up by then, so what it proved is kept all the same.
       */
      const once = (key: string, proving: AdmittedProof): AdmittedProof =>
        Effect.uninterruptibleMask((restore) => {
          const running = asked.get(key)
          if (running !== undefined) return restore(Deferred.await(running))
          const answer = Deferred.makeUnsafe<NumberOutcome, ProofRefused>()
          asked.set(key, answer)
          const forget = Effect.sync(() => asked.delete(key))
          const run = Deferred.into(Effect.ensuring(proving, forget), answer)
          return Effect.andThen(Effect.forkIn(run, scope), restore(Deferred.await(answer)))
        })

      return NumberVerifications.of({
        verify: Effect.fnUntraced(function* (caller, request, address) {
          const { proof, sessionId } = request
          const one = asking.get(request.verifier)
          if (one === undefined) {
            const names = [...asking.keys()].join(", ")
            return yield* new InvalidField({ field: "verifier", problem: `must be one of ${names}, in upper case` })
          }
          const { check, guard, verifier } = one
          const payload = yield* Effect.fromResult(check(request))
          const { outcome, verification } = yield* current(caller.environment, sessionId, verifier.name)
          if (outcome !== null) return Effect.succeed(outcome)
          const place = yield* placeOfAddress(limits, "sdk.verifyNumber", caller, address)
          const question = { guard, payload, proof, verifier }
          const key = `${caller.environment}/${sessionId}/${SecretHash.hash(JSON.stringify(proof))}`
          return once(key, prove(caller, verification, question, place))
        })
      })
    })
  )
}
