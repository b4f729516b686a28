import type { Settings } from "../../account/merchant/Settings.ts"
import type { GuardReason, GuardVerdict, Judgement } from "../../foundation/guard/GuardReason.ts"

/** These reasons limit how many codes a place gets. Work is cheap for the sender of a flood, and would be no limit. */
const notAnswerable: ReadonlySet<GuardReason> = new Set(["COUNTRY_TOO_FAST", "COUNTRY_UNVERIFIED", "RANGE_UNVERIFIED"])

/**
 * The score of a refusal that a solved challenge lifts. Null for a block, and while another enforced reason would refuse
 * the solver all the same.
 */
export const answerableScore = (
  { reasons }: Judgement,
  { guardEnforces }: Pick<Settings, "guardEnforces">,
  refusal: { readonly reason: GuardReason; readonly verdict: GuardVerdict }
): number | null => {
  if (refusal.verdict === "block") return null
  const enforced = reasons.filter(({ reason }) => guardEnforces.includes(reason))
  if (enforced.some(({ reason }) => notAnswerable.has(reason))) return null
  return enforced.find(({ reason }) => reason === refusal.reason)?.score ?? null
}
