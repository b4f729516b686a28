import { Context, type Effect } from "effect"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** Words that agents send often. */
export interface SavedReply {
  readonly environment: string
  /** `srp_…` */
  readonly id: string
  /** Unique in its environment, whatever the case. */
  readonly name: string
  readonly text: string
  readonly createdAt: Instant
}

/** The saved replies of environments. */
export class SavedReplyStore extends Context.Service<
  SavedReplyStore,
  {
    /** All of an environment, by id, which is by age. */
    readonly list: (environment: string) => Effect.Effect<ReadonlyArray<SavedReply>, StoreError>
    /** Writes one, new or in the place of the one with its id. `Conflict` when another has its name. */
    readonly save: (reply: SavedReply) => Effect.Effect<void, Conflict | StoreError>
    /** False when there is none. */
    readonly remove: (environment: string, id: string) => Effect.Effect<boolean, StoreError>
  }
>()("@countersign/core/lead/SavedReplyStore") {}
