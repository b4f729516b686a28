import { Context, type Effect } from "effect"
import type { StoreError } from "./StoreError.ts"

/** Whether storage can be used right now. */
export class StorageHealth extends Context.Service<
  StorageHealth,
  {
    /** Succeeds when storage answers and its tables are the ones this version works with. */
    readonly check: Effect.Effect<void, StoreError>
  }
>()("@countersign/core/storage/StorageHealth") {}
