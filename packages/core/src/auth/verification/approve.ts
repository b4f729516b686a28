import type { Instant } from "../../foundation/time/Instant.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { launchFacts } from "./launchFacts.ts"
import { choseWrongNumber, ended, guessedRight, linksPausedUntil } from "./Subject.ts"
import { isLive, type Method, type Verification, type VerifiedVerification } from "./Verification.ts"
import { changeOf } from "./VerificationChange.ts"
import * as VerificationEvent from "./VerificationEvent.ts"
import type { VerificationStore } from "./VerificationStore.ts"

export interface ApproveCommand {
  readonly method: Exclude<Method, "OTP" | "ONETAP">
  /** Whether it is the right person: the number they chose, or the number that is theirs. Asked only when it counts. */
  readonly isRight: () => boolean
  readonly eventId: string
}

export type ApproveOutcome =
  /** Verified by this very approval. */
  | { readonly _tag: "Approved"; readonly verification: Verification }
  /** The wrong number: it has FAILED, and nothing approves it any more. On a link's page it counts as a wrong guess. */
  | { readonly _tag: "Mistaken"; readonly verification: Verification }
  /** It was verified before. */
  | { readonly _tag: "Already"; readonly verification: Verification }
  /** It has expired or FAILED, only a code verifies it, or the person chose too many wrong numbers. */
  | { readonly _tag: "Over"; readonly verification: Verification }

/** Somebody approves a verification: by its link, or at a provider that knows them. Of many at one instant one does. */
export const approve = (
  { subject, verification }: VerificationStore.Loaded,
  { eventId, isRight, method }: ApproveCommand,
  now: Instant
): Decision<ApproveOutcome> => {
  if (verification.kind === "Code") return unchanged({ _tag: "Over", verification })
  if (verification.status === "VERIFIED") return unchanged({ _tag: "Already", verification })
  if (!isLive(verification, now)) return unchanged({ _tag: "Over", verification })
  // Links that were sent before the third wrong number would be further guesses.
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
      guessedRight(over, next.path),
      next,
      { at: now },
      {
        events: [VerificationEvent.verified(eventId, next)],
        facts: launchFacts(next)
      }
    )
  }
}
