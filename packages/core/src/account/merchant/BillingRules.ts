import { Context, Effect, Layer, Schema } from "effect"
import { deploymentFact, type DeploymentDiffers } from "./deploymentFact.ts"
import { DeploymentStore } from "./DeploymentStore.ts"
import { type Actor, runsService } from "../../foundation/outbox/AuditEntry.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/** Who tops up, sets prices and turns billing on: the merchants, or the operator. */
export const BilledBy = ["merchant", "operator"] as const
export type BilledBy = (typeof BilledBy)[number]

/** A merchant tried to change money settings that only the operator changes in this deployment. */
export class BilledByOperator extends Schema.TaggedError<BilledByOperator>()("BilledByOperator", {
  what: Schema.Literals(["TOP_UP", "SETTINGS", "CREDIT"])
}) {}

/** Who manages money in this deployment. Read from storage each time, because an operator command may change it. */
export class BillingRules extends Context.Service<
  BillingRules,
  {
    readonly billedBy: Effect.Effect<BilledBy, StoreError>
    /** Whether an actor may pay in and set prices for the merchant that they act for. */
    readonly mayBill: (actor: Actor) => Effect.Effect<boolean, StoreError>
  }
>()("@countersign/core/merchant/BillingRules") {
  /** Records the configured value. Fails when storage records another value. */
  static readonly layer = (
    configured?: BilledBy
  ): Layer.Layer<BillingRules, DeploymentDiffers | StoreError, DeploymentStore> =>
    Layer.effect(
      BillingRules,
      Effect.gen(function* () {
        yield* deploymentFact("billedBy", configured)
        const store = yield* DeploymentStore
        // A value unknown to this version must not let merchants top up their own balance.
        const billedBy = Effect.map(store.get("billedBy"), (recorded) =>
          recorded === null || recorded === "merchant" ? "merchant" : "operator"
        )
        return BillingRules.of({
          billedBy,
          mayBill: (actor) =>
            runsService(actor) ? Effect.succeed(true) : Effect.map(billedBy, (recorded) => recorded === "merchant")
        })
      })
    )
}
