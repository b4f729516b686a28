import type { Settings } from "../../account/merchant/Settings.ts"
import { type Instant, minutes } from "../../foundation/time/Instant.ts"
import { type AttemptCommand, type AttemptOutcome, attempt } from "./attempt.ts"
import { type Decision, unchanged } from "./Decision.ts"
import type { VerifiedVerification } from "./Verification.ts"
import { changeOf } from "./VerificationChange.ts"
import type { VerificationStore } from "./VerificationStore.ts"

/** How long a OneTap approval can be used to sign in. The login request follows `initiate` immediately. */
const oneTapLife = minutes(5)

export interface LoginCommand extends AttemptCommand {
  /** False when the request has no code: OneTap verified the person at `initiate`. */
  readonly hasCode: boolean
}

export type LoginOutcome =
  | { readonly _tag: "LoggedIn"; readonly verification: VerifiedVerification }
  /** The code is wrong, the verification was already used, or the caller cannot prove that it may use it. */
  | { readonly _tag: "Refused" }
  | Extract<AttemptOutcome, { readonly _tag: "Codeless" | "Exhausted" | "Expired" }>

const refused = unchanged<LoginOutcome>({ _tag: "Refused" })

/**
 * Uses a OneTap approval, once. Any other verification needs a code: a second login of the same person may share the
 * verification and know its id.
 */
const useOneTap = (
  { subject, verification }: VerificationStore.Loaded,
  { mark }: LoginCommand,
  now: Instant
): Decision<LoginOutcome> => {
  if (verification.method !== "ONETAP" || verification.path !== "SERVER") return refused
  const { loggedInAt, loggedInBy, verifiedAt } = verification
  if (loggedInAt !== undefined)
    return mark !== null && loggedInBy === mark ? unchanged({ _tag: "LoggedIn", verification }) : refused
  if (now >= verifiedAt + oneTapLife) return refused
  const next: VerifiedVerification = {
    ...verification,
    loggedInAt: now,
    ...(mark === null ? {} : { loggedInBy: mark })
  }
  return {
    outcome: { _tag: "LoggedIn", verification: next },
    change: changeOf(verification, subject, next, { at: now })
  }
}

/**
 * Signs a person in with a code or after OneTap, once per verification, regardless of `strictReverify`. It compares a
 * code only while the verification is PENDING, so a used verification reveals nothing about a guess.
 */
export const login = (
  loaded: VerificationStore.Loaded,
  command: LoginCommand,
  settings: Settings,
  now: Instant
): Decision<LoginOutcome> => {
  const { verification } = loaded
  if (verification.trial !== undefined) return refused
  if (!command.hasCode) return useOneTap(loaded, command, now)
  if (verification.status === "VERIFIED") {
    const isRepeat = command.mark !== null && verification.verifiedBy === command.mark
    return isRepeat ? unchanged({ _tag: "LoggedIn", verification }) : refused
  }
  const { change, outcome } = attempt(loaded, command, settings, now)
  switch (outcome._tag) {
    case "Verified":
      return { outcome: { _tag: "LoggedIn", verification: outcome.verification }, change }
    case "WrongCode":
      return { outcome: { _tag: "Refused" }, change }
    case "Codeless":
    case "Exhausted":
    case "Expired":
      return { outcome, change }
  }
}
