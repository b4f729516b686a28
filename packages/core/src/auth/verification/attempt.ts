import type { Settings } from "../../account/merchant/Settings.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { changeOf } from "./VerificationChange.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { expire } from "./expire.ts"
import { ended, guessedRight, guessedWrong, signedIn } from "./Subject.ts"
import { attemptsLeft, isOver, type Verification, type VerifiedVerification } from "./Verification.ts"
import { launchFacts } from "./launchFacts.ts"
import { type Trusting, trusting } from "./trusting.ts"
import * as VerificationEvent from "./VerificationEvent.ts"
import type { VerificationStore } from "./VerificationStore.ts"

export type AttemptOutcome =
  | { readonly _tag: "Verified"; readonly verification: VerifiedVerification; readonly already: boolean }
  | { readonly _tag: "WrongCode"; readonly verification: Verification; readonly left: number }
  /** It has no code: a link or a number verifier approves it. Nothing is compared or counted. */
  | { readonly _tag: "Codeless"; readonly verification: Verification }
  /** It has expired, or no message could be delivered. */
  | { readonly _tag: "Expired"; readonly verification: Verification }
  | { readonly _tag: "Exhausted"; readonly verification: Verification }

export interface AttemptCommand extends Trusting {
  /** Whether the entered code is right. Called at most once, and only if the attempt counts. */
  readonly matches: () => boolean
  readonly eventId: string
  /** The mark that identifies a repeat of this request; null without an idempotency key. */
  readonly mark: string | null
}

/** Returns the answer to an earlier try of this request, or null if there was no earlier try. */
const answeredBefore = (verification: Verification, { mark }: AttemptCommand): AttemptOutcome | null => {
  if (mark === null) return null
  if (verification.status === "VERIFIED" && verification.verifiedBy === mark)
    return { _tag: "Verified", verification, already: false }
  const wrong = verification.wrongBy?.find(([by]) => by === mark)
  return wrong === undefined
    ? null
    : { _tag: "WrongCode", verification, left: attemptsLeft({ ...verification, attempts: wrong[1] }) }
}

const wrong = (
  { subject, verification }: VerificationStore.Loaded,
  { mark }: AttemptCommand,
  now: Instant
): Decision<AttemptOutcome> => {
  const attempts = verification.attempts + 1
  const next: Verification = {
    ...verification,
    attempts,
    ...(mark === null ? {} : { wrongBy: [...(verification.wrongBy ?? []), [mark, attempts]] })
  }
  return {
    outcome: { _tag: "WrongCode", verification: next, left: attemptsLeft(next) },
    change: changeOf(verification, guessedWrong(subject, verification.path, now), next, { at: now, by: "code" })
  }
}

const again = (
  loaded: VerificationStore.Loaded,
  verification: VerifiedVerification,
  command: AttemptCommand,
  settings: Settings,
  now: Instant
): Decision<AttemptOutcome> => {
  if (!settings.strictReverify) return unchanged({ _tag: "Verified", verification, already: true })
  if (verification.kind !== "Code") return unchanged({ _tag: "Codeless", verification })
  if (attemptsLeft(verification) === 0) return unchanged({ _tag: "Exhausted", verification })
  return command.matches() ? unchanged({ _tag: "Verified", verification, already: true }) : wrong(loaded, command, now)
}

/**
 * Decides on an entered code. Every comparison is part of the change, so it is committed before the response. A wrong
 * code is a value, not a failure.
 */
export const attempt = (
  loaded: VerificationStore.Loaded,
  command: AttemptCommand,
  settings: Settings,
  now: Instant
): Decision<AttemptOutcome> => {
  const { subject, verification } = loaded
  const before = answeredBefore(verification, command)
  if (before !== null) return unchanged(before)
  switch (verification.status) {
    case "VERIFIED":
      return again(loaded, verification, command, settings, now)
    case "EXPIRED":
      return unchanged({ _tag: "Expired", verification })
    case "FAILED":
      return unchanged({ _tag: verification.undeliverable ? "Expired" : "Exhausted", verification })
    case "PENDING":
  }
  if (isOver(verification, now)) {
    const { change: announced } = expire(loaded, command.eventId, now)
    const { deliveries, undeliverable } = announced?.verification ?? verification
    const status = undeliverable ? "FAILED" : "EXPIRED"
    const next: Verification = { ...verification, deliveries, undeliverable, status, expiryAnnounced: true }
    return {
      outcome: { _tag: "Expired", verification: next },
      change: changeOf(
        verification,
        ended(subject, next.id),
        next,
        { at: now, by: "code" },
        {
          events: announced?.events ?? []
        }
      )
    }
  }
  if (verification.kind !== "Code") return unchanged({ _tag: "Codeless", verification })
  if (attemptsLeft(verification) === 0) {
    const next: Verification = { ...verification, status: "FAILED" }
    return {
      outcome: { _tag: "Exhausted", verification: next },
      change: changeOf(verification, ended(subject, next.id), next, { at: now, by: "code" })
    }
  }
  if (!command.matches()) return wrong(loaded, command, now)
  const next: VerifiedVerification = {
    ...verification,
    status: "VERIFIED",
    method: "OTP",
    verifiedAt: now,
    ...(command.mark === null ? {} : { verifiedBy: command.mark })
  }
  const { deviceId, subject: known } = trusting(subject, command, "CODE", settings, now)
  return {
    outcome: { _tag: "Verified", verification: next, already: false },
    change: changeOf(
      verification,
      signedIn(guessedRight(ended(known, next.id), next.path)),
      next,
      { at: now, by: "code" },
      {
        deviceId,
        events: [VerificationEvent.verified(command.eventId, next)],
        facts: launchFacts(next)
      }
    )
  }
}
