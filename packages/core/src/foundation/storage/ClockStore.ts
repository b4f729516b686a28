import { Context, type Effect } from "effect"
import type { Conflict } from "./Conflict.ts"
import type { StoreError } from "./StoreError.ts"
import type { ClockRecord } from "../time/ClockRecord.ts"
import type { Instant, Millis } from "../time/Instant.ts"

/** Stores the time that the processes of a storage have observed. Makes no decisions. */
export class ClockStore extends Context.Service<
  ClockStore,
  {
    /** The stored record; `ClockRecord.empty` when none is stored. */
    readonly load: Effect.Effect<ClockRecord, StoreError>
    /**
     * Saves the record if its version is unchanged since it was loaded. Of concurrent saves of one version, one
     * succeeds; the others fail with `Conflict` and change nothing.
     *
     * With `setBack`, the same commit moves jobs that wait to run after `now`, up to `until`, earlier by `by`. It moves
     * a leased job only if its lease began before the step.
     */
    readonly save: (
      record: ClockRecord,
      setBack: ClockStore.SetBack | null
    ) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/storage/ClockStore") {}

export declare namespace ClockStore {
  /** Moves waiting jobs, so that their remaining wait is unchanged after the clock was set back. */
  export interface SetBack {
    readonly by: Millis
    /** Moves jobs that run after this instant: the wall clock after the step. */
    readonly now: Instant
    /** Leaves jobs that run later than this instant; null for no bound. */
    readonly until: Instant | null
    /** Moves only jobs of these kinds; null for all kinds. */
    readonly kinds: ReadonlyArray<string> | null
  }
}
