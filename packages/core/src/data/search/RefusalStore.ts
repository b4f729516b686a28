import { Context, type Effect } from "effect"
import type { Unbooked } from "../../foundation/outbox/Change.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Refusal } from "./Refusal.ts"

/** The sample of refused initiates that is stored, for a week. */
export class RefusalStore extends Context.Service<
  RefusalStore,
  {
    /** Writes all of it or nothing. A repeated write stores it once. */
    readonly commit: (change: RefusalStore.Change) => Effect.Effect<void, StoreError>
    /** Newest first. */
    readonly list: (page: RefusalStore.Page) => Effect.Effect<ReadonlyArray<Refusal>, StoreError>
    /** Removes these references of a person from the environment's refusals. */
    readonly forget: (environment: string, persons: ReadonlyArray<string>) => Effect.Effect<void, StoreError>
  }
>()("@countersign/core/search/RefusalStore") {}

export declare namespace RefusalStore {
  export type Change = Unbooked & { readonly refusals: ReadonlyArray<Refusal> }

  export interface Page {
    readonly environment: string
    readonly reason: string | null
    /** The references of one person, one for each master key. Null for all people. */
    readonly persons: ReadonlyArray<string> | null
    /** Ids below this id, and at or above `since`. */
    readonly before: string
    readonly since: string
    readonly limit: number
  }
}
