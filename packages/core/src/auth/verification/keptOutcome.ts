import { OutcomeCode, outcomeOf, OutcomeReason } from "./outcome.ts"
import type { Verification } from "./Verification.ts"

/**
 * How a verification ended without success, as its row keeps it: `NOT_DELIVERED RECIPIENT`, or the code alone.
 *
 * A row does not know which channels send receipts, so it keeps `NO_RECEIPT` for `SENT_UNUSED` too.
 */
export type KeptOutcome = string

/** The codes of messages that did not arrive. Only these have a reason. */
const withReason = ["NOT_SENT", "NOT_DELIVERED", "NO_RECEIPT"] as const satisfies ReadonlyArray<OutcomeCode>

const context = { reports: () => true, canAddFallback: false, lockedUntil: null }

/** Whether an earlier write ended it. The status stays PENDING after the announced expiry and after the last attempt. */
const hasEnded = ({ attempts, expiryAnnounced, maxAttempts, status }: Verification): boolean =>
  status === "PENDING" ? expiryAnnounced || attempts >= maxAttempts : status !== "VERIFIED"

const endedOutcome = (verification: Verification) =>
  hasEnded(verification)
    ? outcomeOf(verification.status === "PENDING" ? { ...verification, status: "EXPIRED" } : verification, context)
    : null

/** The code that statistics count, with `NO_RECEIPT` for `SENT_UNUSED`. Null until it ended without success. */
export const endedCode = (verification: Verification): OutcomeCode | null => endedOutcome(verification)?.code ?? null

/**
 * Returns what a verification's row keeps. Null while it can succeed, and when it did. It follows from the state alone,
 * so the write that ends a verification stores it, and a late receipt corrects it.
 */
export const keptOutcome = (verification: Verification): KeptOutcome | null => {
  const outcome = endedOutcome(verification)
  return outcome === null ? null : outcome.reason === null ? outcome.code : `${outcome.code} ${outcome.reason}`
}

/** Outcomes to search for. Null means any. */
export interface OutcomeFilter {
  readonly codes: ReadonlyArray<OutcomeCode> | null
  readonly reason: OutcomeReason | null
}

/** Every kept outcome that may fit. */
export const keptOutcomes = ({ codes, reason }: OutcomeFilter): ReadonlyArray<KeptOutcome> => {
  const kept = new Set((codes ?? OutcomeCode).map((code) => (code === "SENT_UNUSED" ? "NO_RECEIPT" : code)))
  const withAny = withReason.filter((code) => kept.has(code))
  const reasons = reason === null ? OutcomeReason : [reason]
  return [...(reason === null ? kept : []), ...withAny.flatMap((code) => reasons.map((each) => `${code} ${each}`))]
}

/** Whether a kept outcome says all, or `outcomeOf` must tell `NO_RECEIPT` and `SENT_UNUSED` apart. */
export const isOutcomeExact = ({ codes }: OutcomeFilter): boolean =>
  codes === null || codes.includes("NO_RECEIPT") === codes.includes("SENT_UNUSED")
