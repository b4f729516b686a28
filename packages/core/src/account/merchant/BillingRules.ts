import { Context, Effect, Layer, Schema } from "effect"
import { agreedFact, type DeploymentDiffers } from "./agreedFact.ts"
import { DeploymentStore } from "./DeploymentStore.ts"
import { type Actor, runsService } from "../../foundation/outbox/AuditEntry.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/** Who pays money in, sets prices and says whether messages are paid: the merchants themselves, or who runs the service. */
export const BilledBy = ["merchant", "operator"] as const
export type BilledBy = (typeof BilledBy)[number]

/** Money is the operator's to arrange here, and a merchant tried to. */
export class BilledByOperator extends Schema.TaggedError<BilledByOperator>()("BilledByOperator", {
  what: Schema.Literals(["TOP_UP", "SETTINGS", "CREDIT"])
}) {}

/** Who arranges money in this deployment. It is read from storage each time, because a command may change it. */
export class BillingRules extends Context.Service<
  BillingRules,
  {
    readonly billedBy: Effect.Effect<BilledBy, StoreError>
    /** Whether an actor may pay in and set prices for the merchant that they act for. */
    readonly mayBill: (actor: Actor) => Effect.Effect<boolean, StoreError>
  }
>()("@countersign/core/merchant/BillingRules") {
  /** Records what this process is configured with, or fails where storage records another value. */
  static readonly layer = (
    configured?: BilledBy
  ): Layer.Layer<BillingRules, DeploymentDiffers | StoreError, DeploymentStore> =>
    Layer.effect(
      BillingRules,
      Effect.gen(function* () {
        yield* agreedFact("billedBy", configured)
        const store = yield* DeploymentStore
        // A word that this version does not know must not leave merchants to pay themselves in.
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
