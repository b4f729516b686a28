import { Clock, Context, Deferred, Effect, Layer, Result } from "effect"
import { labelOf } from "../../foundation/delivery/ChannelName.ts"
import { type NumberLogin, type NumberVerifier, NumberVerifiers } from "../../foundation/delivery/NumberVerifier.ts"
import { IdempotencyStore } from "../../foundation/idempotency/IdempotencyStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { Limits, type Seen } from "../../foundation/limit/Limits.ts"
import { placesOfAddress } from "../../foundation/limit/placesOfAddress.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { hours } from "../../foundation/time/Instant.ts"
import type { ApproveOutcome } from "./approve.ts"
import { placeOfAddress } from "./placeOfAddress.ts"
import { shownAt, type Verification } from "./Verification.ts"
import { VerificationCommands } from "./VerificationCommands.ts"
import { NetworkNotSupported, ProofUnavailable, UnknownVerification, VerificationExpired } from "./VerificationError.ts"
import { VerificationStore } from "./VerificationStore.ts"
import * as AbsentVerifier from "./AbsentVerifier.ts"
import { makeCheckProof, type ProofRequest } from "./checkProof.ts"
import { type Answer, answerOf, type NoAnswer, type StartAnswer, VerifierGuard } from "./VerifierGuard.ts"
import * as SandboxVerifier from "./SandboxVerifier.ts"

/** The result of a proof. A `verified` of false is final: the provider did not confirm the expected number. */
export interface NumberOutcome {
  readonly verification: Verification
  readonly verified: boolean
}

/** What an app needs to obtain a proof over mobile data. */
export interface StartedNumber {
  /** The address to open over mobile data. Null in a test environment: the proof is the number. */
  readonly url: string | null
  /** Returned with the proof. Encrypted: it works for this login only. */
  readonly start: string
}

/** The errors of a start. The verification stays unchanged. */
export type StartRefused =
  | InvalidField
  | UnknownVerification
  | VerificationExpired
  | ProofUnavailable
  | NetworkNotSupported
  | RateLimited
  | Contended
  | StoreError

/** The errors of a proof. The verification stays unchanged. */
export type ProofRefused =
  | InvalidField
  | UnknownVerification
  | VerificationExpired
  | ProofUnavailable
  | NetworkNotSupported
  | RateLimited
  | Contended
  | StoreError

/**
 * Sends a proof that passed the first checks to the provider, and settles the verification. Concurrent runs with the
 * same proof share one provider request.
 */
export type AdmittedProof = Effect.Effect<NumberOutcome, ProofRefused>

/**
 * How long a proof that its provider would accept again is remembered. `Idempotency` deletes its records after the same
 * time.
 */
const rememberedFor = hours(24)
/** One proof counts once in the whole service, so its record belongs to no environment. */
const everyEnvironment = "*"

/** A proof to send to a verifier. */
interface ProofToCheck {
  readonly verifier: NumberVerifier
  readonly guard: VerifierGuard
  /** The proof as decoded by the verifier's schema. */
  readonly payload: unknown
  /** The proof as the app sent it. */
  readonly proof: object
  /** What the verifier's start returned. Null without a start. */
  readonly kept: string | null
}

/** Starts of one login within an hour. Each costs money at the provider, and the public key allows them. */
const mostStarts = 5

/** Longer than every sealed start. */
const longestStart = 4096

/** What a start seals for the app: the login that it belongs to, and the verifier's own state. */
interface Sealed {
  readonly environment: string
  readonly sessionId: string
  readonly verifier: string
  readonly kept: string
}

/**
 * Returns the verification's outcome if it already has one, or null while only the provider can decide. At the exact
 * millisecond of `expiresAt` the verification has expired.
 */
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
 * Verifies people through a provider that knows their number. The person consents in the provider's app, which returns
 * a code to the merchant's app. The server asks the provider which number the code proves, and approves only an exact
 * match. This comparison is the only protection, because the code is not bound to a verification. A proof that its
 * provider would accept again is accepted for one login.
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
     * Checks an app's request, and writes nothing. The returned effect begins the verification at the provider, and
     * returns the address that the app opens over mobile data. Each login may start five times an hour.
     */
    readonly start: (
      caller: Caller,
      request: Pick<ProofRequest, "sessionId" | "verifier">,
      address: string | null
    ) => Effect.Effect<Effect.Effect<StartedNumber, StartRefused>, StartRefused>
    /**
     * Checks an app's request, and writes nothing.
     *
     * The returned effect asks the verifier once and settles the verification. The verification stays open if the
     * verifier rejects the proof, is unavailable, or sends an unreadable response. Fails with `UnknownVerification` if
     * the verification was started for another verifier or for none.
     */
    readonly verify: (
      caller: Caller,
      request: ProofRequest,
      /** The app's IP address; null when it is unknown. All requests with null share one limit. */
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
    IdempotencyStore | Keyring | Limits | NumberVerifiers | VerificationCommands | VerificationStore
  > = Layer.effect(
    NumberVerifications,
    Effect.gen(function* () {
      const limits = yield* Limits
      const keyring = yield* Keyring
      const records = yield* IdempotencyStore
      const verifiers = yield* NumberVerifiers
      const commands = yield* VerificationCommands
      const store = yield* VerificationStore
      const scope = yield* Effect.scope
      const verifiersByName = new Map(
        [...AbsentVerifier.all, ...verifiers.all].map((verifier) => [
          verifier.name,
          { verifier, check: makeCheckProof(verifier), guard: new VerifierGuard(verifier) }
        ])
      )
      /** The provider requests in progress, by environment, session and proof. */
      const inProgress = new Map<string, Deferred.Deferred<NumberOutcome, ProofRefused>>()

      /** Finds a verification that was started for this verifier. Only a merchant's backend can start one. */
      const find = Effect.fnUntraced(function* (environment: string, id: string, verifier: string) {
        const candidate = Identifier.is("ver", id) ? yield* store.find(environment, id) : null
        return candidate?.kind === "Number" && candidate.channel === verifier
          ? candidate
          : yield* new UnknownVerification()
      })

      const loadWithOutcome = Effect.fnUntraced(function* (environment: string, id: string, verifier: string) {
        const verification = yield* find(environment, id, verifier)
        const outcome = yield* Effect.fromResult(outcomeNow(verification, yield* Clock.currentTimeMillis))
        return { verification, outcome }
      })

      const askProvider = (
        { environment, kind, merchantId }: Caller,
        { id, identity: { canonical } }: Verification,
        { guard, kept, payload, proof, verifier }: ProofToCheck
      ): Effect.Effect<Answer> => {
        if (kind === "test") {
          return Effect.match(SandboxVerifier.verify(verifier.name, canonical, proof), {
            onSuccess: (proved): Answer => ({ _tag: "Proved", proof: proved }),
            onFailure: answerOf
          })
        }
        const login: NumberLogin = { sessionId: id, merchantId, phone: canonical, kept }
        return guard.ask(environment, payload, login)
      }

      /**
       * Reserves a proof for one login, over all processes and restarts. The same login may present it again: if the
       * process ended before the commit, the app's repeat still verifies.
       */
      const isFirstUse = Effect.fnUntraced(function* (verifier: string, once: string, login: string) {
        const now = yield* Clock.currentTimeMillis
        const record = yield* records.begin({
          scope: { environment: everyEnvironment, endpoint: `proof ${verifier}`, key: SecretHash.hash(once) },
          fingerprint: login,
          holder: Identifier.randomText(16),
          now,
          leasedUntil: now,
          keptSince: now - rememberedFor
        })
        return record._tag === "Taken" || record.fingerprint === login
      })

      /** Rejects a proof that was accepted for another login. */
      const onlyOnce = (answer: Answer, verifier: string, login: string): Effect.Effect<Answer, StoreError> =>
        answer._tag === "Proved" && answer.proof.once !== undefined
          ? Effect.map(isFirstUse(verifier, answer.proof.once, login), (isFirst) =>
              isFirst ? answer : { _tag: "Refused" }
            )
          : Effect.succeed(answer)

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

      const refusalOf = (verifier: NumberVerifier, answer: NoAnswer, field: string) => {
        const label = labelOf(verifier)
        if (answer._tag === "Unavailable") {
          const { retryAfterSeconds } = answer
          return Effect.fail(new ProofUnavailable({ provider: label, retryAfterSeconds }))
        }
        if (answer._tag === "OtherNetwork") return Effect.fail(new NetworkNotSupported({ provider: label }))
        const defaultProblem = `was rejected by ${label}: a proof works once, for a short time. Start again in the app`
        return Effect.fail(new InvalidField({ field, problem: verifier.refusal ?? defaultProblem }))
      }

      const invalidStart = new InvalidField({
        field: "start",
        problem: "must be what the start of this login returned; start again in the app"
      })

      /** Reads what a start sealed, for this login only. */
      const openStart = Effect.fnUntraced(function* (
        { environment }: Caller,
        { sessionId, start, verifier }: ProofRequest
      ) {
        if (start == null || start.length > longestStart) return yield* invalidStart
        const text = yield* Effect.mapError(Seal.open(keyring, "number-start", start), () => invalidStart)
        const sealed = JSON.parse(text) as Sealed
        const isOurs =
          sealed.environment === environment && sealed.sessionId === sessionId && sealed.verifier === verifier
        return isOurs ? sealed.kept : yield* invalidStart
      })

      const entryOf = (name: string) => {
        const entry = verifiersByName.get(name)
        const names = [...verifiersByName.keys()].join(", ")
        return entry === undefined
          ? Effect.fail(new InvalidField({ field: "verifier", problem: `must be one of ${names}, in upper case` }))
          : Effect.succeed(entry)
      }

      const askStart = (
        { environment, kind, merchantId }: Caller,
        { id, identity: { canonical } }: Verification,
        { guard, verifier }: { readonly guard: VerifierGuard; readonly verifier: NumberVerifier }
      ): Effect.Effect<StartAnswer | { readonly _tag: "Sandbox" }> =>
        kind === "test"
          ? Effect.match(SandboxVerifier.start(verifier.name, canonical), {
              onSuccess: () => ({ _tag: "Sandbox" }) as const,
              onFailure: answerOf
            })
          : guard.start(environment, { sessionId: id, merchantId, phone: canonical, kept: null })

      const settleProof = Effect.fnUntraced(function* (
        caller: Caller,
        verification: Verification,
        proofToCheck: ProofToCheck,
        addressLimit: Seen
      ) {
        const { id, identity } = verification
        const { verifier } = proofToCheck
        // Counts the request against the address only if the provider answered it.
        const answer = yield* addressLimit.during(
          Effect.flatMap(askProvider(caller, verification, proofToCheck), (answer) =>
            onlyOnce(answer, verifier.name, `${caller.environment}/${id}`)
          ),
          ({ _tag }) => _tag !== "Unavailable"
        )
        if (answer._tag === "Proved") {
          const { isVerified, phone } = answer.proof
          return yield* outcomeOf(
            yield* commands.approve(caller.environment, id, {
              method: verifier.name,
              isRight: () => isVerified && phone === identity.canonical
            })
          )
        }
        // Another request may have used this proof for the same verification in the meantime, in this process or
        // another. If so, return that outcome instead of an error.
        const latest = yield* loadWithOutcome(caller.environment, id, verifier.name)
        if (latest.outcome !== null) return latest.outcome
        return yield* refusalOf(verifier, answer, "proof")
      })

      /**
       * Sends one provider request per proof, and shares its result with all waiting callers. If the app disconnects,
       * the provider request still completes: it uses up the proof, so its result must be stored.
       */
      const shareRequest = (key: string, check: AdmittedProof): AdmittedProof =>
        Effect.uninterruptibleMask((restore) => {
          const sharedOutcome = inProgress.get(key)
          if (sharedOutcome !== undefined) return restore(Deferred.await(sharedOutcome))
          const answer = Deferred.makeUnsafe<NumberOutcome, ProofRefused>()
          inProgress.set(key, answer)
          const removeFromProgress = Effect.sync(() => inProgress.delete(key))
          const run = Deferred.into(Effect.ensuring(check, removeFromProgress), answer)
          return Effect.andThen(Effect.forkIn(run, scope), restore(Deferred.await(answer)))
        })

      return NumberVerifications.of({
        start: Effect.fnUntraced(function* (caller, request, address) {
          const { environment } = caller
          const { guard, verifier } = yield* entryOf(request.verifier)
          if (verifier.start === undefined) {
            return yield* new InvalidField({ field: "verifier", problem: "has no start: send the proof immediately" })
          }
          const { outcome, verification } = yield* loadWithOutcome(environment, request.sessionId, verifier.name)
          if (outcome !== null) {
            return yield* new InvalidField({ field: "sessionId", problem: "must be of a login that is still open" })
          }
          const seen = yield* limits.look(environment, [
            ...placesOfAddress(address, {
              key: "sdk.startNumber",
              most: caller.settings.sdkInitiatesPerIpPerHour,
              limit: "address"
            }),
            {
              key: `start-number/${verification.id}`,
              most: mostStarts,
              limit: "starts",
              countedIn: "storage"
            }
          ])
          return Effect.gen(function* () {
            const answer = yield* seen.during(
              askStart(caller, verification, { guard, verifier }),
              ({ _tag }) => _tag !== "Unavailable"
            )
            if (answer._tag !== "Started" && answer._tag !== "Sandbox") {
              return yield* refusalOf(verifier, answer, "sessionId")
            }
            const { kept, url } = answer._tag === "Started" ? answer.started : { kept: "", url: null }
            const sealed: Sealed = { environment, sessionId: verification.id, verifier: verifier.name, kept }
            return { url, start: yield* Seal.seal(keyring, "number-start", JSON.stringify(sealed)) }
          })
        }),
        verify: Effect.fnUntraced(function* (caller, request, address) {
          const { proof, sessionId } = request
          const { check, guard, verifier } = yield* entryOf(request.verifier)
          const payload = yield* Effect.fromResult(check(request))
          const { outcome, verification } = yield* loadWithOutcome(caller.environment, sessionId, verifier.name)
          if (outcome !== null) return Effect.succeed(outcome)
          const isStarted = verifier.start !== undefined && caller.kind === "live"
          const kept = isStarted ? yield* openStart(caller, request) : null
          const addressLimit = yield* placeOfAddress(limits, "sdk.verifyNumber", caller, address)
          const proofToCheck = { guard, kept, payload, proof, verifier }
          const key = `${caller.environment}/${sessionId}/${SecretHash.hash(JSON.stringify([proof, kept]))}`
          return shareRequest(key, settleProof(caller, verification, proofToCheck, addressLimit))
        })
      })
    })
  )
}
