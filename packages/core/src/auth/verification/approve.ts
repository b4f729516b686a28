import type { Instant } from "../../foundation/time/Instant.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { launchFacts } from "./launchFacts.ts"
import { choseWrongNumber, ended, guessedRight, linksPausedUntil, signedIn } from "./Subject.ts"
import { isLive, type Method, type Verification, type VerifiedVerification } from "./Verification.ts"
import { changeOf } from "./VerificationChange.ts"
import * as VerificationEvent from "./VerificationEvent.ts"
import type { VerificationStore } from "./VerificationStore.ts"

export interface ApproveCommand {
  readonly method: Exclude<Method, "OTP" | "ONETAP">
  /** Whether the chosen number or the proven number is right. Called only if the approval counts. */
  readonly isRight: () => boolean
  readonly eventId: string
}

export type ApproveOutcome =
  /** This approval verified the person. */
  | { readonly _tag: "Approved"; readonly verification: Verification }
  /**
   * A wrong number: the verification has FAILED and cannot be approved any more. On a link's page it counts as a wrong
   * guess.
   */
  | { readonly _tag: "Mistaken"; readonly verification: Verification }
  /** It was already verified. */
  | { readonly _tag: "Already"; readonly verification: Verification }
  /** It has expired or FAILED, only a code can verify it, or the person chose too many wrong numbers. */
  | { readonly _tag: "Over"; readonly verification: Verification }

/**
 * Approves a verification, by its link or by a provider that knows the person. Of many concurrent approvals, one
 * succeeds.
 */
export const approve = (
  { subject, verification }: VerificationStore.Loaded,
  { eventId, isRight, method }: ApproveCommand,
  now: Instant
): Decision<ApproveOutcome> => {
  if (verification.kind === "Code" || verification.kind === "Relayed") return unchanged({ _tag: "Over", verification })
  if (verification.status === "VERIFIED") return unchanged({ _tag: "Already", verification })
  if (!isLive(verification, now)) return unchanged({ _tag: "Over", verification })
  // Links sent before the third wrong number must not allow further guesses.
  if (verification.kind === "Link" && verification.matchesNumbers === true && linksPausedUntil(subject, now) !== null) {
    return unchanged({ _tag: "Over", verification })
  }
  const over = ended(subject, verification.id)
  if (!isRight()) {
    const next: Verification = { ...verification, status: "FAILED" }
    return {
      outcome: { _tag: "Mistaken", verification: next },
      change: changeOf(verification, method === "LINK" ? choseWrongNumber(over, verification.path, now) : over, next, {
        at: now
      })
    }
  }
  const next: VerifiedVerification = { ...verification, status: "VERIFIED", method, verifiedAt: now }
  return {
    outcome: { _tag: "Approved", verification: next },
    change: changeOf(
      verification,
      signedIn(guessedRight(over, next.path)),
      next,
      { at: now },
      {
        events: [VerificationEvent.verified(eventId, next)],
        facts: launchFacts(next)
      }
    )
  }
}
