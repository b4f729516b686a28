import { Context, type Effect } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Fact } from "./Fact.ts"

/**
 * Facts that no sum contains yet. A change appends them in `facts`; the change that adds them to a sum lists them in
 * `folded` and removes them. The sum's version guards that change: when several processes fold the same facts, one
 * commits and the others get a `Conflict`. So each fact counts exactly once.
 *
 * A change can commit late, so a fact may be older than facts that were read before it. Each read therefore starts at
 * the oldest fact and never resumes at a remembered position.
 */
export class FactStore extends Context.Service<
  FactStore,
  {
    /** The environments that have facts of this kind. */
    readonly environments: (kind: string) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Facts of one kind and environment, oldest first; facts of one instant by key. */
    readonly list: (page: FactStore.Page) => Effect.Effect<ReadonlyArray<Fact>, StoreError>
  }
>()("@countersign/core/outbox/FactStore") {}

export declare namespace FactStore {
  export interface Page {
    readonly kind: string
    readonly environment: string
    /** The last fact of the previous page; null for the first page. */
    readonly after: Pick<Fact, "at" | "key"> | null
    readonly limit: number
  }
}
