import { Clock, Context, Effect, Layer } from "effect"
import type { EventOf } from "../../foundation/event/Event.ts"
import type { CaptchaCheck } from "../../foundation/guard/CaptchaCheck.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { Limits } from "../../foundation/limit/Limits.ts"
import { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { InvalidCredentials, type MerchantSuspended } from "../../account/merchant/MerchantError.ts"
import { Merchants } from "../../account/merchant/Merchants.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import { lifeOf, Tokens } from "../../foundation/secret/Tokens.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import * as Challenges from "./Challenges.ts"
import { placeOfAnswer, usedBefore } from "./Challenges.ts"
import { checkOtp } from "./checkOtp.ts"
import { checkPublicDestination, type DestinationForbidden } from "../../account/merchant/destination.ts"
import { placeOfAddress } from "./placeOfAddress.ts"
import { contextOfAddress } from "./RequestContext.ts"
import { checkSdk, type SdkInitiateRequest } from "./SdkRequest.ts"
import { ifCheckable, shownAt, type Verification } from "./Verification.ts"
import { VerificationCommands } from "./VerificationCommands.ts"
import type { AttemptRefused } from "./compareCode.ts"
import type { Initiated, InitiateRefused } from "./startVerification.ts"
import { type InvalidChannel, UnknownVerification } from "./VerificationError.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** A token that lets an app check codes for ten minutes. */
export interface SdkSession {
  readonly token: string
  readonly scope: "sdk"
  readonly expiresAt: Instant
  /** Seconds from the creation of the token. */
  readonly expiresIn: number
}

/**
 * Starts the session of an admitted request. Calls with the same idempotency key start one session. Null means no
 * idempotency key.
 */
export type Admitted = (idempotencyKey: string | null) => Effect.Effect<Initiated, InitiateRefused>

/** An app's request to check a code. */
export interface SdkVerifyRequest {
  readonly sessionId: string
  /** The code as the person typed it. */
  readonly code: string
  readonly deviceToken?: string | null | undefined
}

const audience = "countersign:sdk"
const scope = "sdk"
const life = lifeOf("session")

/** Every invalid token gets the same error, so the error does not reveal the cause. */
const refused = () => new InvalidCredentials()

/** An answer's place is full when the answer was used before. */
const refuseUsed = <A, E>(
  effect: Effect.Effect<A, E | RateLimited>
): Effect.Effect<A, E | InvalidField | RateLimited> =>
  Effect.catchIf(
    effect,
    (error): error is RateLimited => error instanceof RateLimited && error.limit === "challenge",
    () => Effect.fail(usedBefore())
  )

/**
 * Verifies people for apps, which hold no secret. The key is public, so one caller never receives what another started.
 * Every initiate starts its own session, and a code works only in the session that requested it.
 *
 * @example
 * ```ts
 * import { type Caller, SdkSessions } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const begin = Effect.fn(function* (app: Caller, phone: string, address: string | null) {
 *   const sessions = yield* SdkSessions
 *   const start = yield* sessions.admit(app, { phone }, address) // checks the request, writes nothing
 *   const { verification } = yield* start(null)
 *   return verification.id
 * })
 * ```
 */
export class SdkSessions extends Context.Service<
  SdkSessions,
  {
    /** Creates a session token for one of the merchant's apps. */
    readonly create: (
      caller: Caller,
      request: { readonly scope?: string | null | undefined }
    ) => Effect.Effect<SdkSession, InvalidField | StoreError>
    /** Returns the caller that a session token stands for. */
    readonly authenticate: (token: string) => Effect.Effect<Caller, InvalidCredentials | MerchantSuspended | StoreError>
    /**
     * Checks an app's request and its address, and writes nothing, because anyone can send invalid requests with the
     * public key.
     *
     * The returned function starts the session and sends its code, or sends the code of the named session again.
     */
    readonly admit: (
      caller: Caller,
      request: SdkInitiateRequest,
      /** The app's IP address. All requests without a known address share one limit. */
      address: string | null
    ) => Effect.Effect<
      Admitted,
      InvalidField | InvalidChannel | DestinationForbidden | RateLimited | UnknownVerification | StoreError
    >
    /** Checks a code. A wrong code is a value, not an error, and is counted durably before the response. */
    readonly verify: (
      caller: Caller,
      request: SdkVerifyRequest
    ) => Effect.Effect<
      { readonly verification: Verification; readonly verified: boolean },
      InvalidField | AttemptRefused
    >
    /**
     * Returns the state of a verification that an app waits for. The app only needs its id; the backend may have
     * started it. Reading changes nothing. An expired verification shows as `EXPIRED`, so that the app stops waiting.
     */
    readonly status: (
      caller: Caller,
      sessionId: string
    ) => Effect.Effect<Verification, UnknownVerification | StoreError>
  }
>()("@countersign/core/verification/SdkSessions") {
  static readonly layerNoDeps: Layer.Layer<
    SdkSessions,
    never,
    CaptchaCheck | Keyring | Limits | Merchants | Outbox | Tokens | VerificationCommands | VerificationStore
  > = Layer.effect(
    SdkSessions,
    Effect.gen(function* () {
      const limits = yield* Limits
      const merchants = yield* Merchants
      const outbox = yield* Outbox
      const tokens = yield* Tokens
      const commands = yield* VerificationCommands
      const store = yield* VerificationStore
      const challenges = yield* Challenges.make

      return SdkSessions.of({
        create: Effect.fnUntraced(function* (caller, request) {
          if (request.scope != null && request.scope !== scope) {
            return yield* new InvalidField({ field: "scope", problem: `must be ${scope}` })
          }
          const now = yield* Clock.currentTimeMillis
          const token = yield* tokens.sign("session", {
            audience,
            // A token created by the merchant's own process stands for the environment: no key exists that could be
            // revoked.
            subject: caller.credentialId ?? caller.environment,
            issuedAt: now,
            more: { merchant: caller.merchantId, environment: caller.environment, scope }
          })
          const expiresAt = Math.floor(now / 1000) * 1000 + life
          const created: EventOf<"session.created"> = {
            id: yield* RequestKey.idFor("evt", now),
            environment: caller.environment,
            type: "session.created",
            createdAt: now,
            data: { expiresAt: toIso(expiresAt), scope }
          }
          yield* outbox.append({ events: [created] })
          return { token, scope, expiresAt, expiresIn: life / 1000 }
        }),

        authenticate: Effect.fnUntraced(function* (token) {
          const claims = yield* Effect.mapError(tokens.verify("session", token, audience), refused)
          // The token stands for its key, so the merchant's current state applies, not the state at creation.
          const caller = yield* claims.sub === claims["environment"]
            ? merchants.callerIn(claims.sub, claims.sub)
            : merchants.callerOf(claims.sub)
          return caller.environment === claims["environment"] && claims["scope"] === scope ? caller : yield* refused()
        }),

        admit: Effect.fnUntraced(function* (caller, request, address) {
          const checked = yield* Effect.fromResult(checkSdk(request, caller.settings, commands.channels(caller)))
          yield* Effect.fromResult(checkPublicDestination(checked.identity.canonical, caller.settings))
          const sessionId = request.sessionId ?? null
          if (sessionId !== null && !Identifier.is("ver", sessionId)) return yield* new UnknownVerification()
          const context = contextOfAddress(address)
          // The guard judges by it. A backend names the address itself.
          const located = context === null ? checked : { ...checked, context }
          const scope = {
            environment: caller.environment,
            canonical: checked.identity.canonical,
            network: context?.clientIp ?? "unknown"
          }
          const answer = request.challenge ?? null
          const answered = answer === null ? null : yield* challenges.read(scope, answer)
          const place = answered === null ? [] : [placeOfAnswer(answered)]
          const seen = yield* placeOfAddress(limits, "sdk.initiate", caller, address, place).pipe(refuseUsed)
          const hasSolved =
            answer !== null && answered !== null && (yield* challenges.isSolved(answered, answer, address))
          return (idempotencyKey: string | null) =>
            seen
              .during(
                commands.initiate(caller, located, {
                  path: "SDK",
                  idempotencyKey,
                  deviceToken: request.deviceToken ?? null,
                  requestId: sessionId,
                  template: request.template ?? null,
                  hasSolved
                }),
                ({ repeated }) => !repeated
              )
              .pipe(
                refuseUsed,
                Effect.tap(({ repeated }) => (hasSolved && !repeated ? challenges.count(scope) : Effect.void)),
                Effect.catchTag("GuardRefused", (refused) =>
                  Effect.flatMap(challenges.offer(scope, refused, answered !== null && !hasSolved), Effect.fail)
                )
              )
              // Hides prices and balance from apps, because their key is public.
              .pipe(Effect.catchTag("PaymentRequired", (error) => Effect.fail(error.forAnybody)))
        }),

        verify: Effect.fnUntraced(function* (caller, { code, deviceToken, sessionId }) {
          const otp = yield* Effect.fromResult(checkOtp("code", code))
          if (!Identifier.is("ver", sessionId)) return yield* new UnknownVerification()
          const compared = yield* commands.attempt(caller, sessionId, "SDK", {
            otp,
            deviceToken: deviceToken ?? null,
            deviceInfo: null
          })
          return { verification: compared.verification, verified: compared._tag === "Verified" }
        }),

        status: Effect.fnUntraced(function* ({ environment }, sessionId) {
          const known = Identifier.is("ver", sessionId) ? ifCheckable(yield* store.find(environment, sessionId)) : null
          if (known === null) return yield* new UnknownVerification()
          return shownAt(known, yield* Clock.currentTimeMillis)
        })
      })
    })
  )
}
