import { Context, type Effect } from "effect"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { StatBucket, StatPlace, StatSpan } from "./StatBucket.ts"

/**
 * The sums of statistics. All buckets of an environment are one aggregate with one version: of many who fold the same
 * facts at one instant one commits, and all others get a `Conflict`.
 */
export class StatStore extends Context.Service<
  StatStore,
  {
    /** The version of an environment's sums; 0 where there are none. */
    readonly version: (environment: string) => Effect.Effect<number, StoreError>
    /** Those of the buckets that exist, in any order. */
    readonly buckets: (
      environment: string,
      places: ReadonlyArray<StatPlace>
    ) => Effect.Effect<ReadonlyArray<StatBucket>, StoreError>
    /** Sums and facts as of one instant: no fact is missing from both, none is in both. */
    readonly read: (page: StatStore.Page) => Effect.Effect<StatStore.Read, StoreError>
    /** All of it or nothing; answers the new version. */
    readonly commit: (change: StatStore.Change) => Effect.Effect<number, Conflict | StoreError>
  }
>()("@countersign/core/stat/StatStore") {}

export declare namespace StatStore {
  /** New sums of an environment, and the facts that are in them from then on. */
  export type Change = Outgoing & {
    readonly environment: string
    /** The version of the environment's sums that this was decided on; 0 where there are none. */
    readonly version: number
    /** Buckets as they are from then on, each once. */
    readonly buckets: ReadonlyArray<StatBucket>
  }

  export interface Page {
    readonly environment: string
    /** Which buckets: those that begin in this time, and the facts of the same time. */
    readonly span: StatSpan
    readonly from: Instant
    /** The end, which is not in it. */
    readonly to: Instant
    /** Whether the latencies are wanted; without, they are empty. */
    readonly latencies: boolean
    /** The kinds of facts to be found. */
    readonly kinds: ReadonlyArray<string>
  }

  /** The sums of a time, and what is to be added to them. */
  export interface Read {
    readonly buckets: ReadonlyArray<StatBucket>
    /** What nobody has folded yet. */
    readonly facts: ReadonlyArray<Fact>
  }
}
