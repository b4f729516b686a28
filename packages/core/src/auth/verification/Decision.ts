import type { VerificationChange } from "./VerificationChange.ts"

/** What a pure decision answers: the outcome, and what to write first. Null when there is nothing to write. */
export interface Decision<Outcome> {
  readonly outcome: Outcome
  readonly change: VerificationChange | null
}

/** An outcome that changes nothing. */
export const unchanged = <Outcome>(outcome: Outcome): Decision<Outcome> => ({ outcome, change: null })
