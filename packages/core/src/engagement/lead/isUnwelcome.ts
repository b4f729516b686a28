import { Effect } from "effect"
import type { OptOuts } from "../optOut/OptOuts.ts"
import { onePhone } from "../optOut/decisions.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { windowEnd } from "./checkReply.ts"
import type { Lead } from "./Lead.ts"

/**
 * Whether a template would violate the customer's opt-out. Within 24 hours of their last message a template is an
 * answer, which opt-outs allow.
 */
export const isUnwelcome = (
  optOuts: OptOuts["Service"],
  lead: Lead,
  now: Instant
): Effect.Effect<boolean, StoreError> => {
  const end = windowEnd(lead)
  if (lead.phone === null || (end !== null && now < end)) return Effect.succeed(false)
  const phone = onePhone(`+${lead.phone}`)
  return Effect.map(optOuts.among(lead.environment, [phone]), (all) => all.size > 0)
}
