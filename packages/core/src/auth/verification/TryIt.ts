import { Context, Effect, Layer } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import { invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { Limits } from "../../foundation/limit/Limits.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { isLocale } from "../../account/merchant/Settings.ts"
import { checkOtp } from "./checkOtp.ts"
import { check, type RequestRejected } from "./InitiateRequest.ts"
import { attemptsLeft, type Verification } from "./Verification.ts"
import { VerificationCommands } from "./VerificationCommands.ts"
import type { AttemptRefused } from "./compareCode.ts"
import type { InitiateRefused } from "./startVerification.ts"
import { UnknownVerification } from "./VerificationError.ts"

/**
 * How many trials an environment may start in an hour, so that a stolen session cannot send many messages at the
 * merchant's cost.
 */
const mostTrialsPerHour = 60

export interface TryItRequest {
  /** A phone number or an e-mail address. A text with an @ is an e-mail address. */
  readonly identity: string
  readonly channel?: string | null | undefined
  /** The language of its messages, instead of the one in the settings. */
  readonly locale?: string | null | undefined
}

/** The result of an entered code. */
export interface TryItAnswer {
  readonly verification: Verification
  readonly verified: boolean
  readonly attemptsLeft: number
}

/**
 * "Try it": a team member sends a code to themselves and enters it in the dashboard.
 *
 * It is a verification like one from a backend, with the same limits, prices, templates, fallback, events and
 * statistics. But it never signs in a customer: a trial and a customer's login never share a verification. The
 * dashboard can only check codes of trials.
 *
 * @example
 * ```ts
 * import { type Caller, TryIt } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const tryOut = Effect.fn(function* (caller: Caller, identity: string) {
 *   const tryIt = yield* TryIt
 *   const { id } = yield* tryIt.start(caller, { identity, channel: "SMS", locale: "hi" })
 *   return yield* tryIt.verify(caller, id, "123456")
 * })
 * ```
 */
export class TryIt extends Context.Service<
  TryIt,
  {
    /**
     * Sends a code, or resends the code of a live trial in the same language. The same commit writes the audit entry
     * with sender and recipient. Two calls with the same key send once.
     */
    readonly start: (
      caller: Caller,
      request: TryItRequest,
      idempotencyKey?: string | null
    ) => Effect.Effect<Verification, RequestRejected | InitiateRefused>
    /** Checks a code. A wrong code is a value, not an error, and is counted durably before the response. */
    readonly verify: (caller: Caller, requestId: string, typed: string) => Effect.Effect<TryItAnswer, AttemptRefused>
  }
>()("@countersign/core/verification/TryIt") {
  static readonly layerNoDeps: Layer.Layer<TryIt, never, Limits | VerificationCommands> = Layer.effect(
    TryIt,
    Effect.gen(function* () {
      const limits = yield* Limits
      const commands = yield* VerificationCommands

      const start = Effect.fnUntraced(function* (
        caller: Caller,
        { channel, identity, locale = null }: TryItRequest,
        idempotencyKey: string | null = null
      ) {
        if (locale !== null && !isLocale(locale)) {
          return yield* invalidField("locale", Problem.of("LANGUAGE"))
        }
        const request = { identity, identityType: Identity.typeOf(identity), mode: "OTP", channel }
        const checked = yield* Effect.fromResult(check(request, caller.settings, commands.channels(caller)))
        const hourlyLimit = yield* limits.look(caller.environment, [
          { key: "trials", most: mostTrialsPerHour, limit: "trials", countedIn: "storage" }
        ])
        const { verification } = yield* hourlyLimit.during(
          commands.initiate(
            caller,
            { ...checked, trial: { locale } },
            { path: "SERVER", idempotencyKey, deviceToken: null, requestId: null, template: null }
          ),
          ({ repeated }) => !repeated
        )
        return verification
      })

      const verify = Effect.fnUntraced(function* (caller: Caller, requestId: string, typed: string) {
        const otp = yield* Effect.fromResult(checkOtp("otp", typed))
        if (!Identifier.is("ver", requestId)) return yield* new UnknownVerification()
        const codeAttempt = { otp, deviceToken: null, deviceInfo: null, isTrial: true } as const
        const { _tag, verification } = yield* commands.attempt(caller, requestId, "SERVER", codeAttempt)
        return { verification, verified: _tag === "Verified", attemptsLeft: attemptsLeft(verification) }
      })

      return TryIt.of({ start, verify })
    })
  )
}
