import type { Settings } from "../../account/merchant/Settings.ts"
import type { LineFact, LineFacts, LineRequest } from "../../foundation/delivery/LineInfo.ts"
import { type Judgement, type ScoredReason, verdictOf } from "../../foundation/guard/GuardReason.ts"
import { days, type Instant, toIso } from "../../foundation/time/Instant.ts"

export type LineSettings = Pick<Settings, "guardLineTypes" | "guardRecycledDays" | "guardSimSwapHours">

/** Whether the merchant wants the guard to look up anything. */
export const needsLine = ({ guardLineTypes, guardRecycledDays, guardSimSwapHours }: LineSettings): boolean =>
  guardLineTypes.length > 0 || guardSimSwapHours > 0 || guardRecycledDays > 0

/** The facts that the merchant's settings need. */
export const lineRequestOf = (canonical: string, settings: LineSettings, now: Instant): LineRequest => {
  const { guardLineTypes, guardRecycledDays, guardSimSwapHours } = settings
  const facts: Array<LineFact> = []
  if (guardLineTypes.length > 0) facts.push("type")
  if (guardSimSwapHours > 0) facts.push("simSwapped")
  if (guardRecycledDays > 0) facts.push("recycled")
  return {
    number: `+${canonical}`,
    facts,
    simSwapHours: Math.max(1, guardSimSwapHours),
    recycledSince: toIso(now - days(guardRecycledDays)).slice(0, 10)
  }
}

/** A fact is certain, so the reason blocks where it is enforced: another try finds the same line. */
const certain = 9.3

/** The reasons that follow from the facts of a line. An unknown fact is no reason. */
export const lineReasons = (
  { recycled, simSwapped, type }: Partial<LineFacts>,
  { guardLineTypes, guardRecycledDays, guardSimSwapHours }: LineSettings
): ReadonlyArray<ScoredReason> => {
  const reasons: Array<ScoredReason> = []
  if (type != null && (guardLineTypes as ReadonlyArray<string>).includes(type)) {
    reasons.push({ reason: "LINE_TYPE", score: certain })
  }
  if (guardSimSwapHours > 0 && simSwapped === true) reasons.push({ reason: "SIM_SWAPPED", score: certain })
  if (guardRecycledDays > 0 && recycled === true) reasons.push({ reason: "NUMBER_RECYCLED", score: certain })
  return reasons
}

/** A judgement with more reasons. */
export const withReasons = (judgement: Judgement, more: ReadonlyArray<ScoredReason>): Judgement => {
  if (more.length === 0) return judgement
  const reasons = [...judgement.reasons, ...more].toSorted((a, b) => b.score - a.score)
  return { verdict: verdictOf(reasons[0]!.score), reasons }
}
