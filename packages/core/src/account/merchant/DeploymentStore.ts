import { Context, type Effect } from "effect"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/** What is true of the whole deployment, whichever process asks. */
export type DeploymentFact = "firstMerchant" | "billedBy" | "currency"

/** Facts about a whole deployment, one value each. They belong to storage, because processes may be configured differently. */
export class DeploymentStore extends Context.Service<
  DeploymentStore,
  {
    /** The recorded value; null where none is. */
    readonly get: (fact: DeploymentFact) => Effect.Effect<string | null, StoreError>
    /**
     * Records a value unless there is one, and returns the recorded value. Of many processes that call it at once, one
     * records its value and all of them get that one.
     */
    readonly claim: (fact: DeploymentFact, value: string) => Effect.Effect<string, StoreError>
    /** Replaces the value `from`. `Conflict` where another one is recorded. */
    readonly replace: (fact: DeploymentFact, from: string, to: string) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/deployment/DeploymentStore") {}
