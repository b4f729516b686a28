import { Context, type Effect } from "effect"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** A text that agents send often. */
export interface SavedReply {
  readonly environment: string
  /** `srp_…` */
  readonly id: string
  /** Unique in its environment, ignoring case. */
  readonly name: string
  readonly text: string
  readonly createdAt: Instant
}

/** Stores the saved replies of environments. */
export class SavedReplyStore extends Context.Service<
  SavedReplyStore,
  {
    /** All of an environment, by id, which is by age. */
    readonly list: (environment: string) => Effect.Effect<ReadonlyArray<SavedReply>, StoreError>
    /** Creates a saved reply or replaces the one with its id. Fails with `Conflict` when another one has its name. */
    readonly save: (reply: SavedReply) => Effect.Effect<void, Conflict | StoreError>
    /** Returns false when it does not exist. */
    readonly remove: (environment: string, id: string) => Effect.Effect<boolean, StoreError>
  }
>()("@countersign/core/lead/SavedReplyStore") {}
