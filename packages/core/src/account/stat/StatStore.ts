import { Context, type Effect } from "effect"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { StatBucket, StatPlace, StatSpan } from "./StatBucket.ts"

/**
 * The sums of statistics. All buckets of an environment form one aggregate with one version. When several processes
 * fold the same facts concurrently, one commits and the others get a `Conflict`.
 */
export class StatStore extends Context.Service<
  StatStore,
  {
    /** Returns the version of an environment's sums; 0 before the first fold. */
    readonly version: (environment: string) => Effect.Effect<number, StoreError>
    /** The existing buckets, in any order. */
    readonly buckets: (
      environment: string,
      places: ReadonlyArray<StatPlace>
    ) => Effect.Effect<ReadonlyArray<StatBucket>, StoreError>
    /** Reads sums and facts at one instant, so that each fact is in exactly one of them. */
    readonly read: (page: StatStore.Page) => Effect.Effect<StatStore.Read, StoreError>
    /** Commits all of it or nothing. Returns the new version. */
    readonly commit: (change: StatStore.Change) => Effect.Effect<number, Conflict | StoreError>
  }
>()("@countersign/core/stat/StatStore") {}

export declare namespace StatStore {
  /** New sums of an environment, and the facts that they now include. */
  export type Change = Outgoing & {
    readonly environment: string
    /** The version of the environment's sums that the decision used; 0 before the first fold. */
    readonly version: number
    /** The next state of the buckets, each once. */
    readonly buckets: ReadonlyArray<StatBucket>
  }

  export interface Page {
    readonly environment: string
    /** Selects buckets that begin in this time range, and facts of the same range. */
    readonly span: StatSpan
    readonly from: Instant
    /** The end, exclusive. */
    readonly to: Instant
    /** Whether to read latencies; otherwise they are empty. */
    readonly latencies: boolean
    /** The kinds of facts to read. */
    readonly kinds: ReadonlyArray<string>
  }

  /** The sums of a time range, and the facts to add to them. */
  export interface Read {
    readonly buckets: ReadonlyArray<StatBucket>
    /** Facts that are not folded yet. */
    readonly facts: ReadonlyArray<Fact>
  }
}
