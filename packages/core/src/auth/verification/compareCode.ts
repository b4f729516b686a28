import { Effect, Result } from "effect"
import { labelOf } from "./deviceLabel.ts"
import * as DeviceToken from "./deviceToken.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { AttemptOutcome } from "./attempt.ts"
import { codeOf } from "./codeOf.ts"
import type { Decision } from "./Decision.ts"
import type { DecideAndCommit } from "./decideAndCommit.ts"
import type { ChannelChoice } from "../../foundation/delivery/Channel.ts"
import { logFailures } from "./logFailures.ts"
import type { LoginCommand, LoginOutcome } from "./login.ts"
import type { Path } from "./Verification.ts"
import { AttemptsExhausted, UnknownVerification, VerificationExpired } from "./VerificationError.ts"
import type { VerificationStore } from "./VerificationStore.ts"

export interface Attempt {
  /** The code as the person typed it, trimmed. Null when OneTap may have verified the person. */
  readonly otp: string | null
  readonly deviceToken: string | null
  /** As JSON text. */
  readonly deviceInfo: string | null
  /** The dashboard checks the code, so only trials are visible. */
  readonly isTrial?: boolean
}

/** Why a code is not compared. */
export type AttemptRefused =
  | InvalidField
  | UnknownVerification
  | VerificationExpired
  | AttemptsExhausted
  | Contended
  | StoreError

/** The result of a comparison: right, right before, or wrong. */
export type Compared = Extract<AttemptOutcome, { readonly _tag: "Verified" | "WrongCode" }>

type Unanswered = { readonly _tag: "Codeless" | "Exhausted" | "Expired" }

/** Turns an outcome without a comparison into its error. */
const compared = <O extends AttemptOutcome | LoginOutcome>(
  outcome: O
): Effect.Effect<Exclude<O, Unanswered>, InvalidField | VerificationExpired | AttemptsExhausted> => {
  switch (outcome._tag) {
    case "Expired": {
      const { id, undeliverable } = outcome.verification
      return Effect.fail(new VerificationExpired({ requestId: id, undeliverable }))
    }
    case "Exhausted":
      return Effect.fail(new AttemptsExhausted({ requestId: outcome.verification.id }))
    case "Codeless":
      return Effect.fail(invalidField("otp", Problem.of("NO_CODE")))
    default:
      return Effect.succeed(outcome as Exclude<O, Unanswered>)
  }
}

/** Compares a code with a verification's code, and commits what `decide` (`attempt` or `login`) decides. */
export const make = (decideAndCommit: DecideAndCommit) =>
  Effect.map(Keyring, (keyring) => {
    const commandOf = (
      { settings }: Caller,
      { subject, verification }: VerificationStore.Loaded,
      code: string | null,
      { deviceInfo, deviceToken, otp }: Attempt,
      mark: string | null,
      now: Instant
    ): LoginCommand => ({
      hasCode: otp !== null,
      matches: () => code !== null && otp !== null && SecretHash.equals(otp, code),
      eventId: Identifier.make("evt", now),
      mark,
      device: deviceToken === null || !settings.oneTap ? null : DeviceToken.read(keyring, subject, deviceToken),
      label: labelOf(deviceInfo ?? verification.deviceInfo),
      keyId: keyring.current.id
    })

    return Effect.fnUntraced(function* <O extends AttemptOutcome | LoginOutcome>(
      decide: (
        loaded: VerificationStore.Loaded,
        command: LoginCommand,
        settings: Settings,
        now: Instant
      ) => Decision<O>,
      caller: Caller,
      channels: ChannelChoice,
      id: string,
      path: Path | null,
      given: Attempt
    ) {
      const mark = yield* RequestKey.mark
      const done = yield* decideAndCommit(
        caller.environment,
        id,
        (loaded, now): Result.Result<Decision<O>, UnknownVerification | VerificationExpired> => {
          const { verification } = loaded
          if (
            (path !== null && verification.path !== path) ||
            (given.isTrial === true && verification.trial === undefined)
          )
            return Result.fail(new UnknownVerification())
          const code = codeOf(keyring, caller.kind, verification)
          return code === null && verification.status === "PENDING"
            ? Result.fail(new VerificationExpired({ requestId: id, undeliverable: false }))
            : Result.succeed(decide(loaded, commandOf(caller, loaded, code, given, mark, now), caller.settings, now))
        }
      )
      if (done === null) return yield* new UnknownVerification()
      const { before, outcome } = done
      if (outcome._tag === "Expired") {
        yield* logFailures(before, outcome.verification, ({ channel }) => channels.find(channel)?.provider ?? "none")
      }
      return yield* compared(outcome)
    })
  })
