import type { VerificationChange } from "./VerificationChange.ts"

/**
 * The result of a pure decision: its outcome, and the change to commit first. `change` is null when there is nothing to
 * write.
 */
export interface Decision<Outcome> {
  readonly outcome: Outcome
  readonly change: VerificationChange | null
}

/** An outcome that changes nothing. */
export const unchanged = <Outcome>(outcome: Outcome): Decision<Outcome> => ({ outcome, change: null })
