import { Context, Effect, Layer } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
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

/** How many an environment may start in an hour: a stolen session is no way to send messages at the merchant's cost. */
const mostAnHour = 60

export interface TryItRequest {
  /** A phone number or an e-mail address: what has an @ is one. */
  readonly identity: string
  readonly channel?: string | null | undefined
  /** The language of its messages, instead of the setting's. */
  readonly locale?: string | null | undefined
}

/** What became of a code that was entered. */
export interface TryItAnswer {
  readonly verification: Verification
  readonly verified: boolean
  readonly attemptsLeft: number
}

/**
 * "Try it": somebody who works for the merchant sends a code to themselves and enters it. It is a verification as a
 * backend starts it: limits, prices, templates, fallback, events and statistics are the same. But it is nobody's login:
 * it never becomes the resend of a customer's, nor the other way round, and what was not started here cannot be answered
 * here.
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
     * Sends a code, or that of a live trial in the same words again. Who sent it to whom is put down in the same commit.
     * `command` is the request's idempotency key: carried out twice, it sends once.
     */
    readonly start: (
      caller: Caller,
      request: TryItRequest,
      command?: string | null
    ) => Effect.Effect<Verification, RequestRejected | InitiateRefused>
    /** Checks a code. A wrong one is a value, counted for good before it is answered. */
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
        command: string | null = null
      ) {
        if (locale !== null && !isLocale(locale)) {
          return yield* new InvalidField({ field: "locale", problem: "must be a language such as en, hi or en-IN" })
        }
        const request = { identity, identityType: Identity.typeOf(identity), mode: "OTP", channel }
        const checked = yield* Effect.fromResult(check(request, caller.settings, commands.channels(caller)))
        const seen = yield* limits.look(caller.environment, [
          { key: "trials", most: mostAnHour, limit: "trials", countedIn: "storage" }
        ])
        const { verification } = yield* seen.during(
          commands.initiate(
            caller,
            { ...checked, trial: { locale } },
            { path: "SERVER", command, deviceToken: null, requestId: null, template: null }
          ),
          ({ repeated }) => !repeated
        )
        return verification
      })

      const verify = Effect.fnUntraced(function* (caller: Caller, requestId: string, typed: string) {
        const otp = yield* Effect.fromResult(checkOtp("otp", typed))
        if (!Identifier.is("ver", requestId)) return yield* new UnknownVerification()
        const given = { otp, deviceToken: null, deviceInfo: null, isTrial: true } as const
        const { _tag, verification } = yield* commands.attempt(caller, requestId, "SERVER", given)
        return { verification, verified: _tag === "Verified", attemptsLeft: attemptsLeft(verification) }
      })

      return TryIt.of({ start, verify })
    })
  )
}
