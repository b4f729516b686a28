import { Clock, Context, Deferred, Effect, Layer, Redacted, Result } from "effect"
import { type ProofRequest, Provers } from "../delivery/Prover.ts"
import * as Identifier from "../identity/Identifier.ts"
import { InvalidField } from "../identity/InvalidField.ts"
import { Limits, type Seen } from "../limit/Limits.ts"
import type { RateLimited } from "../limit/RateLimited.ts"
import type { Caller } from "../merchant/Caller.ts"
import * as SecretHash from "../secret/SecretHash.ts"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { ApproveOutcome } from "../verification/approve.ts"
import { placeOfAddress } from "../verification/placeOfAddress.ts"
import { statusAt, type Verification } from "../verification/Verification.ts"
import { VerificationCommands } from "../verification/VerificationCommands.ts"
import { ProofUnavailable, UnknownVerification, VerificationExpired } from "../verification/VerificationError.ts"
import { VerificationStore } from "../verification/VerificationStore.ts"
import * as AbsentProver from "./AbsentProver.ts"
import { checkTruecaller, type TruecallerRequest } from "./checkTruecaller.ts"
import { type Answer, answerOf, ProverGuard } from "./ProverGuard.ts"
import * as SandboxProver from "./SandboxProver.ts"

/** What a proof came to. `verified` is false for ever when the number was another one. */
export interface Proved {
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
export type AdmittedProof = Effect.Effect<Proved, ProofRefused>

const provider = "truecaller"

/** Whether it is one that Truecaller may prove. Only a merchant's backend starts those. */
const isProvable = ({ channel }: Verification) => channel === "TRUECALLER"

/** What is known of it without asking; null while the provider has to tell. At the millisecond of expiry it is over. */
const known = (verification: Verification, now: number): Result.Result<Proved | null, VerificationExpired> => {
  switch (statusAt(verification, now)) {
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
 * import { type Caller, Proofs } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const finish = Effect.fn(function* (app: Caller, sessionId: string, code: string, codeVerifier: string) {
 *   const proofs = yield* Proofs
 *   const prove = yield* proofs.truecaller(app, { sessionId, code, codeVerifier, state: sessionId }, null)
 *   const { verified } = yield* prove // asks Truecaller
 *   return verified
 * })
 * ```
 */
export class Proofs extends Context.Service<
  Proofs,
  {
    /**
     * Checks what an app brought, and writes nothing. What comes of it asks Truecaller, once, and settles the
     * verification. It stays open where Truecaller does not take the code or cannot be understood.
     */
    readonly truecaller: (
      caller: Caller,
      request: TruecallerRequest,
      /** Where the app called from. All whose address nobody knows count as one. */
      address: string | null
    ) => Effect.Effect<
      AdmittedProof,
      InvalidField | UnknownVerification | VerificationExpired | RateLimited | StoreError
    >
  }
>()("@countersign/core/proof/Proofs") {
  static readonly layerNoDeps: Layer.Layer<Proofs, never, Limits | Provers | VerificationCommands | VerificationStore> =
    Layer.effect(
      Proofs,
      Effect.gen(function* () {
        const limits = yield* Limits
        const provers = yield* Provers
        const commands = yield* VerificationCommands
        const store = yield* VerificationStore
        const scope = yield* Effect.scope
        const guard = new ProverGuard(provers.find("TRUECALLER") ?? AbsentProver.prover)
        /** What is being asked, by session and code. */
        const asked = new Map<string, Deferred.Deferred<Proved, ProofRefused>>()

        const find = Effect.fnUntraced(function* (environment: string, id: string) {
          const found = Identifier.is("ver", id) ? yield* store.find(environment, id) : null
          return found !== null && isProvable(found) ? found : yield* new UnknownVerification()
        })

        const knownNow = Effect.fnUntraced(function* (environment: string, id: string) {
          const verification = yield* find(environment, id)
          const settled = yield* Effect.fromResult(known(verification, yield* Clock.currentTimeMillis))
          return { verification, settled }
        })

        const unavailable = (retryAfterSeconds: number) => new ProofUnavailable({ provider, retryAfterSeconds })

        const ask = (
          { kind }: Caller,
          { identity: { canonical } }: Verification,
          request: ProofRequest
        ): Effect.Effect<Answer> =>
          kind === "test"
            ? Effect.match(SandboxProver.make(canonical).prove(request), {
                onSuccess: (proof): Answer => ({ _tag: "Proved", proof }),
                onFailure: answerOf
              })
            : guard.ask(request, canonical)

        const settled = (
          outcome: ApproveOutcome | null
        ): Effect.Effect<Proved, UnknownVerification | VerificationExpired> => {
          if (outcome === null) return Effect.fail(new UnknownVerification())
          const { _tag, verification } = outcome
          if (_tag === "Over" && verification.status !== "FAILED") {
            return Effect.fail(new VerificationExpired({ requestId: verification.id, undeliverable: false }))
          }
          return Effect.succeed({ verification, verified: _tag === "Approved" || _tag === "Already" })
        }

        const prove = Effect.fnUntraced(function* (
          caller: Caller,
          verification: Verification,
          request: ProofRequest,
          place: Seen
        ) {
          const { id, identity } = verification
          // A question that the provider answered has cost it something; one that it did not was in vain.
          const answer = yield* place.during(ask(caller, verification, request), ({ _tag }) => _tag !== "Unavailable")
          if (answer._tag === "Proved") {
            const { isVerified, phone } = answer.proof
            return yield* settled(
              yield* commands.approve(caller.environment, id, {
                method: "TRUECALLER",
                isRight: () => isVerified && phone === identity.canonical
              })
            )
          }
          // Another request, or another process, may have used this code up in the meantime, and for this very person.
          const meanwhile = yield* knownNow(caller.environment, id)
          if (meanwhile.settled !== null) return meanwhile.settled
          if (answer._tag === "Unavailable") return yield* unavailable(answer.retryAfterSeconds)
          return yield* new InvalidField({
            field: "code",
            problem:
              "is not taken by Truecaller: a code is good once and for a short time, with its own codeVerifier and the " +
              "scopes openid and phone. Start again in the app, with a fresh code"
          })
        })

        /**
         * One question for one code, whoever waits for its answer. An app that hangs up takes nothing back: the code is
         * used up by then, so what it proved is kept all the same.
         */
        const once = (key: string, proving: AdmittedProof): AdmittedProof =>
          Effect.uninterruptibleMask((restore) => {
            const running = asked.get(key)
            if (running !== undefined) return restore(Deferred.await(running))
            const answer = Deferred.makeUnsafe<Proved, ProofRefused>()
            asked.set(key, answer)
            const forget = Effect.sync(() => asked.delete(key))
            const run = Deferred.into(Effect.ensuring(proving, forget), answer)
            return Effect.andThen(Effect.forkIn(run, scope), restore(Deferred.await(answer)))
          })

        return Proofs.of({
          truecaller: Effect.fnUntraced(function* (caller, request, address) {
            const { sessionId } = request
            const checked = yield* Effect.fromResult(checkTruecaller(request))
            const { settled: answer, verification } = yield* knownNow(caller.environment, sessionId)
            if (answer !== null) return Effect.succeed(answer)
            const place = yield* placeOfAddress(limits, "sdk.truecaller", caller, address)
            const { code, codeVerifier } = checked
            const secret = SecretHash.hash(`${Redacted.value(codeVerifier)} ${Redacted.value(code)}`)
            return once(`${caller.environment}/${sessionId}/${secret}`, prove(caller, verification, checked, place))
          })
        })
      })
    )
}
