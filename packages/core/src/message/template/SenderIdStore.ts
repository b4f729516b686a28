import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** A DLT header that an environment may send from. */
export interface SenderId {
  readonly environment: string
  /** Six letters; the case counts. */
  readonly header: string
  readonly createdAt: Instant
}

/** The sender ids of environments. */
export class SenderIdStore extends Context.Service<
  SenderIdStore,
  {
    /** All of an environment, the oldest first. */
    readonly list: (environment: string) => Effect.Effect<ReadonlyArray<SenderId>, StoreError>
    /** With all that the change leaves, or nothing. `Conflict` when it is there already, or not there to be removed. */
    readonly commit: (change: SenderIdStore.Change) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/template/SenderIdStore") {}

export declare namespace SenderIdStore {
  /** A sender id that is there from now on, or is not any more. */
  export type Change = Outgoing & {
    readonly senderId: SenderId
    readonly becomes: "added" | "removed"
  }
}
