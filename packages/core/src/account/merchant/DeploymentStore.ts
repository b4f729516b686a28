import { Context, type Effect } from "effect"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/** Facts about a whole deployment, one value each. They belong to storage, because processes may be configured differently. */
export class DeploymentStore extends Context.Service<
  DeploymentStore,
  {
    /** The recorded value; null where none is. */
    readonly get: (fact: DeploymentStore.Fact) => Effect.Effect<string | null, StoreError>
    /**
     * Records a value unless there is one, and returns the recorded value. Of many processes that call it at once, one
     * records its value and all of them get that one.
     */
    readonly claim: (fact: DeploymentStore.Fact, value: string) => Effect.Effect<string, StoreError>
    /** Replaces the value `from`. `Conflict` where another one is recorded. */
    readonly replace: (
      fact: DeploymentStore.Fact,
      from: string,
      to: string
    ) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/deployment/DeploymentStore") {}

export declare namespace DeploymentStore {
  /** What is true of the whole deployment, whichever process asks. */
  export type Fact = "firstMerchant" | "billedBy" | "currency"
}
