import { Context, type Effect } from "effect"
import { noRecords, type Unbooked } from "../../foundation/outbox/Change.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/**
 * The latest opt-out or opt-in of a phone number. It concerns campaigns only: codes, links and replies are always sent.
 */
export interface OptOut {
  readonly environment: string
  /** E.164 with `+`. For an erased person `#` and a keyed hash of the number. */
  readonly phone: string
  /** Whether the person has opted out. False means that they opted in again after an opt-out. */
  readonly isOut: boolean
  /** The source. `MESSAGE`: the person's own message. `PERSON`: a team member. `PROVIDER`: the provider's report. */
  readonly by: "MESSAGE" | "PERSON" | "PROVIDER"
  readonly at: Instant
}

/** Stores opt-outs by environment. */
export class OptOutStore extends Context.Service<
  OptOutStore,
  {
    /**
     * Writes the latest state of a number. An existing later state wins; with equal times the opt-out wins. So
     * concurrent, reordered and repeated changes give the same result. Returns whether anything changed; only then the
     * change's events, jobs and audit entries are written.
     */
    readonly commit: (change: OptOutStore.Change) => Effect.Effect<boolean, StoreError>
    /** The stored states of these numbers, in any order. */
    readonly known: (
      environment: string,
      phones: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<OptOut>, StoreError>
    /** The numbers that have opted out, in order, after a given number. */
    readonly list: (
      environment: string,
      page: { readonly after: string; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<OptOut>, StoreError>
  }
>()("@countersign/core/optOut/OptOutStore") {
  static readonly change = (
    environment: string,
    { gone = [], optOut = null, ...more }: Partial<Omit<OptOutStore.Change, "environment">>
  ): OptOutStore.Change => ({ ...noRecords, ...more, environment, optOut, gone })
}

export declare namespace OptOutStore {
  export type Change = Unbooked & {
    readonly environment: string
    /** The new state; null to only delete. */
    readonly optOut: OptOut | null
    /** The states to delete, unless a later state is stored by then. */
    readonly gone: ReadonlyArray<Pick<OptOut, "at" | "phone">>
  }
}
