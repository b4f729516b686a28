import { Context, type Effect } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Fact } from "./Fact.ts"

/**
 * The facts that nobody has folded yet. A change appends them in `facts`, and the change that folds them takes them away
 * in `folded`: it is the sum's own change, guarded by the sum's version. Of many who fold the same facts at one instant
 * one commits, all others get a `Conflict`, and each fact is in the sum exactly once.
 *
 * A fact may be older than one that was read before it, because its change committed later. So whoever folds begins at
 * the oldest each time, and never remembers where it stopped.
 */
export class FactStore extends Context.Service<
  FactStore,
  {
    /** The environments that have facts of this kind. */
    readonly environments: (kind: string) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Facts of one kind and environment, the oldest first, and those of one instant by key. */
    readonly list: (page: FactStore.Page) => Effect.Effect<ReadonlyArray<Fact>, StoreError>
  }
>()("@countersign/core/outbox/FactStore") {}

export declare namespace FactStore {
  export interface Page {
    readonly kind: string
    readonly environment: string
    /** The fact that the page before ended with; null for the first page. */
    readonly after: Pick<Fact, "at" | "key"> | null
    readonly limit: number
  }
}
