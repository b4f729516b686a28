import { Context, Layer, Schema } from "effect"
import type { Actor } from "../outbox/AuditEntry.ts"

/** Who pays money in, sets prices and says whether messages are paid: the merchants themselves, or who runs the service. */
export const BilledBy = ["merchant", "operator"] as const
export type BilledBy = (typeof BilledBy)[number]

/** Money is the operator's to arrange here, and a merchant tried to. */
export class BilledByOperator extends Schema.TaggedError<BilledByOperator>()("BilledByOperator", {
  what: Schema.Literals(["TOP_UP", "SETTINGS", "CREDIT"])
}) {}

/** Whoever holds storage and secret, as a process that has the service inside does, runs it. */
export const runsService = ({ kind }: Actor): boolean => kind === "OPERATOR" || kind === "SYSTEM"

/** Who arranges money, whoever the merchant is. */
export class BillingRules extends Context.Service<
  BillingRules,
  {
    readonly billedBy: BilledBy
    /** Whether somebody may pay in and set prices, for the merchant that they act for. */
    readonly mayBill: (actor: Actor) => boolean
  }
>()("@countersign/core/merchant/BillingRules") {
  static readonly layer = (billedBy: BilledBy = "merchant"): Layer.Layer<BillingRules> =>
    Layer.succeed(BillingRules, { billedBy, mayBill: (actor) => billedBy === "merchant" || runsService(actor) })
}
