import { Context, type Effect } from "effect"
import type { Conflict } from "./Conflict.ts"
import type { StoreError } from "./StoreError.ts"
import type { ClockRecord } from "../time/ClockRecord.ts"
import type { Instant, Millis } from "../time/Instant.ts"

/** Keeps what a storage's processes have seen of time. It never decides. */
export class ClockStore extends Context.Service<
  ClockStore,
  {
    /** What was saved last; `ClockRecord.empty` when nothing was. */
    readonly load: Effect.Effect<ClockRecord, StoreError>
    /**
     * Saves the record if it is still at the version it was loaded at: of many saves of one version one succeeds, and the
     * others answer Conflict and change nothing. With `setBack`, jobs that wait to run after `now`, up to `until`, run
     * earlier by that much, in the same commit. A leased job is moved only if its lease began before the step.
     */
    readonly save: (
      record: ClockRecord,
      setBack: ClockStore.SetBack | null
    ) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/storage/ClockStore") {}

export declare namespace ClockStore {
  /** Jobs that wait are to wait as long as they were meant to, although the clock was set back. */
  export interface SetBack {
    readonly by: Millis
    /** Those that wait to run after this are moved: the time of day after the step. */
    readonly now: Instant
    /** Those that wait to run later than this are left; null for none. */
    readonly until: Instant | null
    /** Only jobs of these kinds are moved; null for all. */
    readonly kinds: ReadonlyArray<string> | null
  }
}
