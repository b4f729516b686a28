import { Schema } from "effect"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import * as FactKind from "../../foundation/outbox/FactKind.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Lead } from "./Lead.ts"

/** An advertisement or post brought a customer. The attribution module folds these facts. */
export const leadReferred = FactKind.make(
  "lead.referred",
  Schema.Struct({
    leadId: Schema.Number,
    sourceType: Schema.NullOr(Schema.String),
    sourceId: Schema.NullOr(Schema.String),
    clickId: Schema.NullOr(Schema.String)
  })
)

/** The facts of a new lead. Empty for a lead without an advertisement or post. */
export const leadFacts = ({ environment, id, referral }: Lead, at: Instant): ReadonlyArray<Fact> => {
  if (referral === null) return []
  const { clickId, sourceId, sourceType } = referral
  return [leadReferred.fact({ environment, at, key: String(id), value: { leadId: id, sourceType, sourceId, clickId } })]
}
