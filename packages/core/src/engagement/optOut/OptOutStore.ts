import { Context, type Effect } from "effect"
import { leavesNothing, type Unbooked } from "../../foundation/outbox/Change.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** The last word about campaigns to somebody. Codes, links and answers reach them, whatever it is. */
export interface OptOut {
  readonly environment: string
  /** E.164 with `+`; of somebody who was erased `#` and a keyed hash of it. */
  readonly phone: string
  /** Whether they want none. False: they did, and may be written to again. */
  readonly isOut: boolean
  /** `MESSAGE`: they wrote so; `PERSON`: somebody of the merchant put it down; `PROVIDER`: the provider said so. */
  readonly by: "MESSAGE" | "PERSON" | "PROVIDER"
  readonly at: Instant
}

/** Who wants no campaigns, by environment. */
export class OptOutStore extends Context.Service<
  OptOutStore,
  {
    /**
     * Writes what was said last: where something later stands it stays, and of two things said at one moment the wish for
     * none. So any number of changes at once, in any order and repeated, come to the same. Answers whether anything
     * changed; only then is what the change leaves written.
     */
    readonly commit: (change: OptOutStore.Change) => Effect.Effect<boolean, StoreError>
    /** What is known of these numbers, in any order. */
    readonly known: (
      environment: string,
      phones: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<OptOut>, StoreError>
    /** Those who want none, by number after one. */
    readonly list: (
      environment: string,
      page: { readonly after: string; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<OptOut>, StoreError>
  }
>()("@countersign/core/optOut/OptOutStore") {
  static readonly change = (
    environment: string,
    { gone = [], optOut = null, ...more }: Partial<Omit<OptOutStore.Change, "environment">>
  ): OptOutStore.Change => ({ ...leavesNothing, ...more, environment, optOut, gone })
}

export declare namespace OptOutStore {
  export type Change = Unbooked & {
    readonly environment: string
    /** What holds from its moment on; null where something only goes. */
    readonly optOut: OptOut | null
    /** What is taken away, unless something later stands there by then. */
    readonly gone: ReadonlyArray<Pick<OptOut, "at" | "phone">>
  }
}
