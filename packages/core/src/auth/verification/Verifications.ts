import { Clock, Context, Effect, Layer } from "effect"
import { Channels } from "../../foundation/delivery/Channels.ts"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { Limits } from "../../foundation/limit/Limits.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { Numbers } from "../../account/number/Numbers.ts"
import { Tokens } from "../../foundation/secret/Tokens.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { seconds } from "../../foundation/time/Instant.ts"
import { TemplateCatalogue } from "../../message/template/TemplateCatalogue.ts"
import { type CheckedLineQuestion, checkLine, type LineQuestion } from "./checkLine.ts"
import { checkOtp } from "./checkOtp.ts"
import { check, checkDeviceInfo, foreignSender, type InitiateRequest, type RequestRejected } from "./InitiateRequest.ts"
import { idTokenOf } from "./idTokenOf.ts"
import { type LineAnswer, LineLookups, unanswered } from "./LineLookups.ts"
import * as SandboxLine from "./SandboxLine.ts"
import { ifCheckable, type Path, type Verification, type VerifiedVerification } from "./Verification.ts"
import { VerificationCommands } from "./VerificationCommands.ts"
import type { AttemptRefused } from "./compareCode.ts"
import type { Initiated, InitiateRefused } from "./startVerification.ts"
import { UnknownVerification } from "./VerificationError.ts"
import { withinAddress } from "./withinAddress.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** How long the answer to a right code waits for facts about the line. */
const linePatience = seconds(2)

const noHeader: { readonly headers: ReadonlySet<string> } = { headers: new Set() }

/** How a caller names a verification: by its id, or by the caller's own reference. */
export interface VerificationReference {
  readonly requestId?: string | null | undefined
  readonly orderId?: string | null | undefined
}

export interface VerifyRequest extends VerificationReference {
  /** The code as the person typed it. */
  readonly otp: string
  readonly deviceToken?: string | null | undefined
  readonly deviceInfo?: { readonly [name: string]: unknown } | null | undefined
  /** Facts about the line that the answer to a right code shall have. */
  readonly line?: LineQuestion | null | undefined
}

export interface LoginRequest {
  /** The id that `initiate` returned for this login. */
  readonly requestId: string
  /** The code as the person typed it. May be absent only if `initiate` returned `oneTapApplied`. */
  readonly otp?: string | null | undefined
  readonly deviceToken?: string | null | undefined
  readonly deviceInfo?: { readonly [name: string]: unknown } | null | undefined
}

export interface ConfirmRequest {
  readonly requestId?: string | null | undefined
  readonly idToken?: string | null | undefined
}

/**
 * The answer to a code: right (with a signed token, and whether it was right before), or wrong with the attempts left.
 */
export type Verified =
  | {
      readonly _tag: "Verified"
      readonly verification: VerifiedVerification
      readonly already: boolean
      readonly idToken: string
      /** The facts that the request wanted. */
      readonly line?: LineAnswer
    }
  | { readonly _tag: "WrongCode"; readonly verification: Verification; readonly left: number }

/**
 * Verifies people: sends a code, checks what they type, and returns who was verified.
 *
 * Every method acts for one `Caller`. Data of other environments is invisible to it.
 *
 * @example
 * ```ts
 * import { Merchants, Verifications } from "@countersign/core"
 * import { Effect, type Redacted } from "effect"
 *
 * const login = Effect.fn(function* (clientId: string, clientSecret: Redacted.Redacted, identity: string) {
 *   const merchants = yield* Merchants
 *   const verifications = yield* Verifications
 *   const caller = yield* merchants.authenticate(clientId, clientSecret)
 *   const request = { identity, identityType: "MOBILE", mode: "OTP" }
 *   const { verification } = yield* verifications.initiate(caller, request)
 *   const result = yield* verifications.verify(caller, { requestId: verification.id, otp: "123456" })
 *   return result._tag === "Verified" ? result.idToken : `${result.left} attempts remaining`
 * })
 * ```
 */
export class Verifications extends Context.Service<
  Verifications,
  {
    /**
     * Sends a code, or sends a live one again. On success the verification is durable and its message is queued.
     * Two calls with the same key send once.
     */
    readonly initiate: (
      caller: Caller,
      request: InitiateRequest,
      idempotencyKey?: string | null
    ) => Effect.Effect<Initiated, RequestRejected | InitiateRefused>
    /** Checks a code. A wrong code is a value, not an error, and is counted durably before the response. */
    readonly verify: (caller: Caller, request: VerifyRequest) => Effect.Effect<Verified, InvalidField | AttemptRefused>
    /**
     * Signs a person in with the right code, or without a code if OneTap approved the verification. Works once: of all
     * calls for one verification, one gets it and every other call gets null. A wrong code also gives null, and is
     * counted.
     */
    readonly login: (
      caller: Caller,
      request: LoginRequest
    ) => Effect.Effect<VerifiedVerification | null, InvalidField | AttemptRefused>
    /** Returns the verification as it is. Changes nothing. */
    readonly status: (
      caller: Caller,
      reference: VerificationReference
    ) => Effect.Effect<Verification, InvalidField | UnknownVerification | StoreError>
    /** Returns the verification of an id or an idToken. Changes nothing, and never checks a code. */
    readonly confirm: (
      caller: Caller,
      request: ConfirmRequest
    ) => Effect.Effect<Verification, InvalidField | UnknownVerification | StoreError>
  }
>()("@countersign/core/verification/Verifications") {
  static readonly layerNoDeps: Layer.Layer<
    Verifications,
    never,
    Channels | Limits | VerificationStore | Tokens | VerificationCommands | Numbers | LinkAddress | TemplateCatalogue
  > = Layer.effect(
    Verifications,
    Effect.gen(function* () {
      const limits = yield* Limits
      const clock = yield* Clock.Clock
      const lookups = yield* LineLookups
      const store = yield* VerificationStore
      const tokens = yield* Tokens
      const commands = yield* VerificationCommands
      const numbers = yield* Numbers
      const real = yield* Channels
      const { base } = yield* LinkAddress
      const templates = yield* TemplateCatalogue

      const idOf = Effect.fnUntracedEager(function* (caller: Caller, { orderId, requestId }: VerificationReference) {
        if (requestId != null) {
          return Identifier.is("ver", requestId) ? requestId : yield* new UnknownVerification()
        }
        if (orderId == null) {
          return yield* new InvalidField({ field: "requestId", problem: "requestId or orderId is required" })
        }
        if (orderId === "" || orderId.length > 255 || orderId.includes("\0") || !orderId.isWellFormed()) {
          return yield* new UnknownVerification()
        }
        return (yield* store.findIdByOrder(caller.environment, orderId)) ?? (yield* new UnknownVerification())
      })

      /** The facts about a verified number's line. Never fails: a person with the right code is signed in without them. */
      const lineOf = (
        { environment, kind, settings }: Caller,
        { already, verification: { identity } }: { readonly already: boolean; readonly verification: Verification },
        question: CheckedLineQuestion
      ): Effect.Effect<LineAnswer> => {
        if (identity.type !== "MOBILE") return Effect.succeed(unanswered(question, "NO_PROVIDER"))
        const request = { ...question, number: `+${identity.canonical}` }
        if (kind === "test") return Effect.sync(() => SandboxLine.lookUp(request, clock.currentTimeMillisUnsafe()))
        // Without `strictReverify`, a verified verification accepts any code, and a lookup costs money.
        return lookups.lookUp(environment, request, linePatience, () => !already || settings.strictReverify)
      }

      /** The path that a reference is limited to: an orderId finds only what a backend started. */
      const pathOf = ({ requestId }: VerificationReference): Path | null => (requestId == null ? "SERVER" : null)

      const find = Effect.fnUntracedEager(function* (caller: Caller, id: string, path: Path | null = null) {
        const verification = ifCheckable(yield* store.find(caller.environment, id))
        return verification !== null && (path === null || verification.path === path)
          ? verification
          : yield* new UnknownVerification()
      })

      return Verifications.of({
        initiate: Effect.fnUntraced(function* (caller, request, idempotencyKey = null) {
          const channels = commands.channels(caller)
          // A test environment accepts the numbers that its merchant can send from in live.
          const sender = foreignSender(request, real)
          const isConnected = sender !== null && (yield* numbers.isSenderOf(caller, sender))
          // A resend of a code is found by its identity, so it needs no id.
          const requestId = request.mode === "OTP" ? null : (request.requestId ?? null)
          if (requestId !== null && !Identifier.is("ver", requestId)) return yield* new UnknownVerification()
          const { headers } = request.header == null ? noHeader : yield* templates.of(caller.environment)
          const means = {
            isConnected,
            isUnknownSender: sender !== null && !isConnected,
            verifiers: commands.verifiers(caller),
            hasLinks: base !== null,
            headers
          }
          const checked = yield* Effect.fromResult(check(request, caller.settings, channels, means))
          const start = (refusal?: RateLimited) =>
            commands.initiate(caller, checked, {
              path: "SERVER",
              idempotencyKey,
              deviceToken: request.deviceToken ?? null,
              requestId,
              template: null,
              ...(refusal === undefined ? {} : { refusal })
            })
          return yield* request.clientIp == null ? start() : withinAddress(limits, caller, request.clientIp, start)
        }),

        verify: Effect.fnUntraced(function* (caller, request) {
          if (request.requestId != null && request.orderId != null) {
            return yield* new InvalidField({ field: "orderId", problem: "send requestId or orderId, not both" })
          }
          const otp = yield* Effect.fromResult(checkOtp("otp", request.otp))
          const deviceInfo = yield* Effect.fromResult(checkDeviceInfo(request.deviceInfo))
          const question = yield* Effect.fromResult(checkLine(request.line, clock.currentTimeMillisUnsafe()))
          const id = yield* idOf(caller, request)
          const compared = yield* commands.attempt(caller, id, pathOf(request), {
            otp,
            deviceToken: request.deviceToken ?? null,
            deviceInfo
          })
          if (compared._tag === "WrongCode") return compared
          const verified = { ...compared, idToken: yield* idTokenOf(tokens, caller, compared.verification) }
          return question === null ? verified : { ...verified, line: yield* lineOf(caller, compared, question) }
        }),

        login: Effect.fnUntraced(function* (caller, { deviceInfo, deviceToken = null, otp = null, requestId }) {
          const code = otp === null ? null : yield* Effect.fromResult(checkOtp("otp", otp))
          const info = yield* Effect.fromResult(checkDeviceInfo(deviceInfo))
          const id = yield* idOf(caller, { requestId })
          return yield* commands.login(caller, id, null, { otp: code, deviceToken, deviceInfo: info })
        }),

        status: Effect.fnUntraced(function* (caller, reference) {
          return yield* find(caller, yield* idOf(caller, reference), pathOf(reference))
        }),

        confirm: Effect.fnUntraced(function* (caller, request) {
          if (request.requestId != null)
            return yield* find(caller, yield* idOf(caller, { requestId: request.requestId }))
          if (request.idToken == null) {
            return yield* new InvalidField({ field: "requestId", problem: "requestId or idToken is required" })
          }
          const invalid = new InvalidField({
            field: "idToken",
            problem: "must be a valid idToken of this client, at most 5 minutes old"
          })
          // Any key of the environment can confirm the token. In another environment the verification is unknown.
          const { sub } = yield* Effect.mapError(tokens.verify("id", request.idToken, null), () => invalid)
          return yield* Effect.catchTag(find(caller, sub), "UnknownVerification", () => Effect.fail(invalid))
        })
      })
    })
  )
}
