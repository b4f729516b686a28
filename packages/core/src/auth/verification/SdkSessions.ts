import { Clock, Context, Effect, Layer } from "effect"
import type { EventOf } from "../../foundation/event/Event.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { Limits } from "../../foundation/limit/Limits.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { InvalidCredentials, type MerchantSuspended } from "../../account/merchant/MerchantError.ts"
import { Merchants } from "../../account/merchant/Merchants.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { lifeOf, Tokens } from "../../foundation/secret/Tokens.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import { checkOtp } from "./checkOtp.ts"
import { checkDestination } from "./destination.ts"
import { placeOfAddress } from "./placeOfAddress.ts"
import { checkSdk, type SdkInitiateRequest } from "./SdkRequest.ts"
import { shownAt, type Verification } from "./Verification.ts"
import { VerificationCommands } from "./VerificationCommands.ts"
import type { AttemptRefused } from "./compareCode.ts"
import type { Initiated, InitiateRefused } from "./startVerification.ts"
import { type DestinationForbidden, type InvalidChannel, UnknownVerification } from "./VerificationError.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** A token that lets an app check codes, for ten minutes. */
export interface SdkSession {
  readonly token: string
  readonly scope: "sdk"
  readonly expiresAt: Instant
  /** Seconds from its making. */
  readonly expiresIn: number
}

/**
 * A request of an app that may be carried out. Carried out twice with one idempotency key, it starts one session; null
 * is none.
 */
export type Admitted = (command: string | null) => Effect.Effect<Initiated, InitiateRefused>

/** What an app sends to have a code checked. */
export interface SdkVerifyRequest {
  readonly sessionId: string
  /** The code as the person typed it. */
  readonly code: string
  readonly deviceToken?: string | null | undefined
}

const audience = "countersign:sdk"
const scope = "sdk"
const life = lifeOf("session")

/** Whatever is wrong with a token, its bearer is told the same. */
const refused = () => new InvalidCredentials()

/**
 * Verifies people for apps, which hold no secret. The public key is in everybody's hands, so nothing that one caller
 * started is ever given to another: every initiate starts a session of its own, and a code is good only in the session
 * that asked for it.
 *
 * @example
 * ```ts
 * import { type Caller, SdkSessions } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const begin = Effect.fn(function* (app: Caller, phone: string, address: string | null) {
 *   const sessions = yield* SdkSessions
 *   const start = yield* sessions.admit(app, { phone }, address) // refused here, or not at all
 *   const { verification } = yield* start(null)
 *   return verification.id
 * })
 * ```
 */
export class SdkSessions extends Context.Service<
  SdkSessions,
  {
    /** Makes a session token for one of the merchant's apps. */
    readonly create: (
      caller: Caller,
      request: { readonly scope?: string | null | undefined }
    ) => Effect.Effect<SdkSession, InvalidField | StoreError>
    /** Whom a session token speaks for. */
    readonly authenticate: (token: string) => Effect.Effect<Caller, InvalidCredentials | MerchantSuspended | StoreError>
    /**
     * Checks what an app asks for and where it called from, and writes nothing: whoever has the public key may ask for
     * nonsense as often as they like. What comes of it starts the session and sends its code, or sends the code of the
     * session it names again.
     */
    readonly admit: (
      caller: Caller,
      request: SdkInitiateRequest,
      /** Where the app called from. All whose address nobody knows count as one. */
      address: string | null
    ) => Effect.Effect<
      Admitted,
      InvalidField | InvalidChannel | DestinationForbidden | RateLimited | UnknownVerification | StoreError
    >
    /** Checks a code. A wrong one is a value, counted for good before it is answered. */
    readonly verify: (
      caller: Caller,
      request: SdkVerifyRequest
    ) => Effect.Effect<
      { readonly verification: Verification; readonly verified: boolean },
      InvalidField | AttemptRefused
    >
    /**
     * How a verification stands that an app waits for, whoever started it: the app knows its id. Reading it changes
     * nothing, and one whose time is over is shown as `EXPIRED`, so that whoever waits stops waiting.
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
    Limits | Merchants | Outbox | Tokens | VerificationCommands | VerificationStore
  > = Layer.effect(
    SdkSessions,
    Effect.gen(function* () {
      const limits = yield* Limits
      const merchants = yield* Merchants
      const outbox = yield* Outbox
      const tokens = yield* Tokens
      const commands = yield* VerificationCommands
      const store = yield* VerificationStore

      return SdkSessions.of({
        create: Effect.fnUntraced(function* (caller, request) {
          if (request.scope != null && request.scope !== scope) {
            return yield* new InvalidField({ field: "scope", problem: `must be ${scope}` })
          }
          const now = yield* Clock.currentTimeMillis
          const token = yield* tokens.sign("session", {
            audience,
            // What the merchant's own process makes speaks for the environment: there is no key that could be revoked.
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
          // The key that made the token speaks for it: what the merchant is now counts, not what it was.
          const caller = yield* claims.sub === claims["environment"]
            ? merchants.callerIn(claims.sub, claims.sub)
            : merchants.callerOf(claims.sub)
          return caller.environment === claims["environment"] && claims["scope"] === scope ? caller : yield* refused()
        }),

        admit: Effect.fnUntraced(function* (caller, request, address) {
          const checked = yield* Effect.fromResult(checkSdk(request, caller.settings, commands.channels(caller)))
          yield* Effect.fromResult(checkDestination(checked.identity.canonical, caller.settings))
          const sessionId = request.sessionId ?? null
          if (sessionId !== null && !Identifier.is("ver", sessionId)) return yield* new UnknownVerification()
          const seen = yield* placeOfAddress(limits, "sdk.initiate", caller, address)
          return (command: string | null) =>
            seen
              .during(
                commands.initiate(caller, checked, {
                  path: "SDK",
                  command,
                  deviceToken: request.deviceToken ?? null,
                  requestId: sessionId,
                  template: request.template ?? null
                }),
                ({ repeated }) => !repeated
              )
              // What the merchant pays and has is nothing for everybody with an app.
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
          const known = Identifier.is("ver", sessionId) ? yield* store.find(environment, sessionId) : null
          if (known === null) return yield* new UnknownVerification()
          return shownAt(known, yield* Clock.currentTimeMillis)
        })
      })
    })
  )
}
