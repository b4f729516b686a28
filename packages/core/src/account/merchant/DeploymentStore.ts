import { Context, type Effect } from "effect"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/**
 * Facts about a whole deployment, one value each. Storage holds them, because processes may be configured differently.
 */
export class DeploymentStore extends Context.Service<
  DeploymentStore,
  {
    /** Returns the recorded value, or null. */
    readonly get: (fact: DeploymentStore.Fact) => Effect.Effect<string | null, StoreError>
    /**
     * Records a value unless there is one, and returns the recorded value. When many processes call it concurrently,
     * one records its value and all get that value.
     */
    readonly claim: (fact: DeploymentStore.Fact, value: string) => Effect.Effect<string, StoreError>
    /** Replaces the value `from`. Fails with `Conflict` when another value is recorded. */
    readonly replace: (
      fact: DeploymentStore.Fact,
      from: string,
      to: string
    ) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/deployment/DeploymentStore") {}

export declare namespace DeploymentStore {
  /** A fact about the whole deployment. */
  export type Fact = "firstMerchant" | "billedBy" | "currency"
}
