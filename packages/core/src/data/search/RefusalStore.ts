import { Context, type Effect } from "effect"
import type { Unbooked } from "../../foundation/outbox/Change.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Refusal } from "./Refusal.ts"

/** Initiates that were refused: those that were kept of them, for a week. */
export class RefusalStore extends Context.Service<
  RefusalStore,
  {
    /** All of it or nothing. Done twice, it is there once. */
    readonly commit: (change: RefusalStore.Change) => Effect.Effect<void, StoreError>
    /** The newest first. */
    readonly list: (page: RefusalStore.Page) => Effect.Effect<ReadonlyArray<Refusal>, StoreError>
  }
>()("@countersign/core/search/RefusalStore") {}

export declare namespace RefusalStore {
  export type Change = Unbooked & { readonly refusals: ReadonlyArray<Refusal> }

  export interface Page {
    readonly environment: string
    readonly reason: string | null
    /** Identifiers below this one, and not below `since`. */
    readonly before: string
    readonly since: string
    readonly limit: number
  }
}
