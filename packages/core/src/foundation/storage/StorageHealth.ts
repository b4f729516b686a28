import { Context, type Effect } from "effect"
import type { StoreError } from "./StoreError.ts"

/** Whether storage is usable now. */
export class StorageHealth extends Context.Service<
  StorageHealth,
  {
    /** Succeeds when storage answers and its schema matches this version. */
    readonly check: Effect.Effect<void, StoreError>
    /**
     * The age of the oldest open transaction in milliseconds; 0 without one. An open transaction keeps old row versions
     * from being removed, so every statement slows down with its age. Absent when the storage has no transactions of
     * this kind.
     */
    readonly oldestTransaction?: Effect.Effect<number, StoreError>
  }
>()("@countersign/core/storage/StorageHealth") {}
