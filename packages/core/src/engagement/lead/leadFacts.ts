import { Schema } from "effect"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import * as FactKind from "../../foundation/outbox/FactKind.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Lead } from "./Lead.ts"

/** An advertisement or a post brought a customer. Whoever attributes leads to where they came from folds them. */
export const leadReferred = FactKind.make(
  "lead.referred",
  Schema.Struct({
    leadId: Schema.Number,
    sourceType: Schema.NullOr(Schema.String),
    sourceId: Schema.NullOr(Schema.String),
    clickId: Schema.NullOr(Schema.String)
  })
)

/** What is to be known of a lead that has just begun. Nothing, and at no cost, where nothing brought it. */
export const leadFacts = ({ environment, id, referral }: Lead, at: Instant): ReadonlyArray<Fact> => {
  if (referral === null) return []
  const { clickId, sourceId, sourceType } = referral
  return [leadReferred.fact({ environment, at, key: String(id), value: { leadId: id, sourceType, sourceId, clickId } })]
}
