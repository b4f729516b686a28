import type { Settings } from "../merchant/Settings.ts"
import type { Instant } from "../time/Instant.ts"
import type { Change } from "./Change.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { ended, guessedRight, guessedWrong, type Subject } from "./Subject.ts"
import { attemptsLeft, type Verification } from "./Verification.ts"
import * as VerificationEvent from "./VerificationEvent.ts"
import type { Loaded } from "./VerificationStore.ts"

export type AttemptOutcome =
  | { readonly _tag: "Verified"; readonly verification: Verification; readonly already: boolean }
  | { readonly _tag: "WrongCode"; readonly verification: Verification; readonly left: number }
  /** Its time is over, or no message could be delivered. */
  | { readonly _tag: "Expired"; readonly verification: Verification }
  | { readonly _tag: "Exhausted"; readonly verification: Verification }

export interface AttemptCommand {
  /** Whether the code that was entered is the right one. Asked at most once, and only when the attempt will count. */
  readonly matches: () => boolean
  readonly eventId: string
}

const write = (subject: Subject, verification: Verification, events: Change["events"] = []): Change => ({
  subject,
  verification,
  orderId: null,
  events,
  jobs: [],
  done: null
})

const wrong = ({ subject, verification }: Loaded, now: Instant): Decision<AttemptOutcome> => {
  const next = { ...verification, attempts: verification.attempts + 1 }
  return {
    outcome: { _tag: "WrongCode", verification: next, left: attemptsLeft(next) },
    change: write(guessedWrong(subject, now), next)
  }
}

const again = (loaded: Loaded, command: AttemptCommand, settings: Settings, now: Instant): Decision<AttemptOutcome> => {
  const { verification } = loaded
  if (!settings.strictReverify) return unchanged({ _tag: "Verified", verification, already: true })
  if (attemptsLeft(verification) === 0) return unchanged({ _tag: "Exhausted", verification })
  return command.matches() ? unchanged({ _tag: "Verified", verification, already: true }) : wrong(loaded, now)
}

/**
 * Somebody entered a code. Every attempt that compares is in the change, so it is committed before it is answered, and
 * a wrong code is a value, not a failure.
 */
export const attempt = (
  loaded: Loaded,
  command: AttemptCommand,
  settings: Settings,
  now: Instant
): Decision<AttemptOutcome> => {
  const { subject, verification } = loaded
  switch (verification.status) {
    case "VERIFIED":
      return again(loaded, command, settings, now)
    case "EXPIRED":
      return unchanged({ _tag: "Expired", verification })
    case "FAILED":
      return unchanged({ _tag: verification.undeliverable ? "Expired" : "Exhausted", verification })
    case "PENDING":
  }
  if (now >= verification.expiresAt) {
    const next: Verification = { ...verification, status: "EXPIRED" }
    return {
      outcome: { _tag: "Expired", verification: next },
      change: write(ended(subject, next.id), next, [VerificationEvent.expired(command.eventId, next, now)])
    }
  }
  if (attemptsLeft(verification) === 0) {
    const next: Verification = { ...verification, status: "FAILED" }
    return { outcome: { _tag: "Exhausted", verification: next }, change: write(ended(subject, next.id), next) }
  }
  if (!command.matches()) return wrong(loaded, now)
  const next: Verification = { ...verification, status: "VERIFIED", method: "OTP", verifiedAt: now }
  return {
    outcome: { _tag: "Verified", verification: next, already: false },
    change: write(guessedRight(ended(subject, next.id)), next, [VerificationEvent.verified(command.eventId, next, now)])
  }
}
