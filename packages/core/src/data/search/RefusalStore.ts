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
  }
>()("@countersign/core/search/RefusalStore") {}

export declare namespace RefusalStore {
  export type Change = Unbooked & { readonly refusals: ReadonlyArray<Refusal> }

  export interface Page {
    readonly environment: string
    readonly reason: string | null
    /** Ids below this id, and at or above `since`. */
    readonly before: string
    readonly since: string
    readonly limit: number
  }
}
