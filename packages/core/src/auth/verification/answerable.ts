import type { Settings } from "../../account/merchant/Settings.ts"
import type { GuardReason, GuardVerdict, Judgement } from "../../foundation/guard/GuardReason.ts"

/** This reason holds back a flood before anybody can know who takes part in it. Work is cheap for whoever sends floods. */
const notAnswerable: GuardReason = "COUNTRY_TOO_FAST"

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
  if (enforced.some(({ reason }) => reason === notAnswerable)) return null
  return enforced.find(({ reason }) => reason === refusal.reason)?.score ?? null
}
