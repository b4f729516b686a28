import { Context, Effect, Layer } from "effect"
import { deploymentFact, type DeploymentDiffers } from "../merchant/deploymentFact.ts"
import type { DeploymentStore } from "../merchant/DeploymentStore.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/** The currency of all prices and balances in this deployment. */
export class Currency extends Context.Service<
  Currency,
  {
    /** ISO 4217. */
    readonly code: string
  }
>()("@countersign/core/billing/Currency") {
  /**
   * Records the currency this process is configured with. Fails when storage records another currency. The default is
   * `INR`.
   */
  static readonly layer = (
    configured?: string
  ): Layer.Layer<Currency, DeploymentDiffers | StoreError, DeploymentStore> =>
    Layer.effect(
      Currency,
      Effect.map(deploymentFact("currency", configured), (code) => ({ code: code ?? "INR" }))
    )
}
