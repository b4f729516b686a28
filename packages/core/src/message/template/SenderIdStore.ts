import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** A DLT header that an environment may send from. */
export interface SenderId {
  readonly environment: string
  /** Six letters, case-sensitive. */
  readonly header: string
  readonly createdAt: Instant
}

/** The sender ids of environments. */
export class SenderIdStore extends Context.Service<
  SenderIdStore,
  {
    /** All sender ids of an environment, oldest first. */
    readonly list: (environment: string) => Effect.Effect<ReadonlyArray<SenderId>, StoreError>
    /**
     * Commits the change with all its effects, or nothing. Fails with `Conflict` when the added id exists, or the
     * removed id does not.
     */
    readonly commit: (change: SenderIdStore.Change) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/template/SenderIdStore") {}

export declare namespace SenderIdStore {
  /** A sender id to add or remove. */
  export type Change = Outgoing & {
    readonly senderId: SenderId
    readonly becomes: "added" | "removed"
  }
}
