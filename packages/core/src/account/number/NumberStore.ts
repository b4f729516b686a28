import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"

/** The numbers that merchants connected. */
export class NumberStore extends Context.Service<
  NumberStore,
  {
    /** The number of that id, whichever environment has it. */
    readonly get: (id: string) => Effect.Effect<ConnectedNumber | null, StoreError>
    /** The numbers of an environment, the one connected first at the head. */
    readonly list: (environment: string) => Effect.Effect<ReadonlyArray<ConnectedNumber>, StoreError>
    /**
     * Saves a number, new at version 0 or known at the version it was read, with all that the change leaves, or
     * nothing. `Conflict` when somebody else saved it first. Answers the number as it is stored now.
     */
    readonly commit: (change: NumberStore.Change) => Effect.Effect<ConnectedNumber, Conflict | StoreError>
    /** Forgets a number, its token too, with all that the change leaves. `Conflict` when it has another version. */
    readonly remove: (change: NumberStore.Change) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/number/NumberStore") {}

export declare namespace NumberStore {
  /** A number's next state, carrying the version that was loaded; 0 for one that is connected for the first time. */
  export type Change = Outgoing & { readonly number: ConnectedNumber }
}
