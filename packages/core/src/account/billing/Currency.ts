import { Context, Effect, Layer } from "effect"
import { agreedFact, type DeploymentDiffers } from "../merchant/agreedFact.ts"
import type { DeploymentStore } from "../merchant/DeploymentStore.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/** The currency in which all of the service's prices and balances are. */
export class Currency extends Context.Service<
  Currency,
  {
    /** ISO 4217. */
    readonly code: string
  }
>()("@countersign/core/billing/Currency") {
  /** Records what this process is configured with, or fails where storage records another one. `INR` where none is. */
  static readonly layer = (
    configured?: string
  ): Layer.Layer<Currency, DeploymentDiffers | StoreError, DeploymentStore> =>
    Layer.effect(
      Currency,
      Effect.map(agreedFact("currency", configured), (code) => ({ code: code ?? "INR" }))
    )
}
