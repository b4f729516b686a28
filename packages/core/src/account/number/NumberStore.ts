import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"

/** The numbers that merchants connected. */
export class NumberStore extends Context.Service<
  NumberStore,
  {
    /** The number with that id, in any environment. */
    readonly get: (id: string) => Effect.Effect<ConnectedNumber | null, StoreError>
    /** The numbers of an environment, the first connected number first. */
    readonly list: (environment: string) => Effect.Effect<ReadonlyArray<ConnectedNumber>, StoreError>
    /**
     * Saves a new number (version 0) or a known one (the version it was read at), with all its changes, or nothing.
     * Fails with `Conflict` when another writer saved it first. Returns the number as stored.
     */
    readonly commit: (change: NumberStore.Change) => Effect.Effect<ConnectedNumber, Conflict | StoreError>
    /** Deletes a number and its token, with all changes. Fails with `Conflict` at another version. */
    readonly remove: (change: NumberStore.Change) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/number/NumberStore") {}

export declare namespace NumberStore {
  /** A number's next state, carrying the version that was loaded; 0 for a first connection. */
  export type Change = Outgoing & { readonly number: ConnectedNumber }
}
