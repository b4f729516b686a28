import { Context, type Effect } from "effect"
import type { StoreError } from "./StoreError.ts"

/** Whether storage can be used right now. */
export class StorageHealth extends Context.Service<
  StorageHealth,
  {
    /** Succeeds when storage answers and its tables are the ones this version works with. */
    readonly check: Effect.Effect<void, StoreError>
    /**
     * How long the oldest transaction has been open, in milliseconds; 0 without one. It keeps old versions of rows from
     * being removed, so every statement slows down with its age. Absent where storage has no such thing.
     */
    readonly oldestTransaction?: Effect.Effect<number, StoreError>
  }
>()("@countersign/core/storage/StorageHealth") {}
