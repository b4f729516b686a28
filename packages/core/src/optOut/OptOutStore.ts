import { Context, type Effect } from "effect"
import { type Change, leavesNothing } from "../outbox/Change.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"

/** Somebody who wants no campaigns. Codes, links and answers reach them all the same. */
export interface OptOut {
  readonly environment: string
  /** E.164 with `+`. */
  readonly phone: string
  /** `MESSAGE`: they wrote so; `PERSON`: somebody of the merchant put it down; `PROVIDER`: the provider said so. */
  readonly by: "MESSAGE" | "PERSON" | "PROVIDER"
  readonly at: Instant
}

export type OptOutChange = Change<{
  readonly environment: string
  readonly phone: string
  /** Null: they may be written to again. */
  readonly optOut: OptOut | null
}>

export const optOutChange = (
  environment: string,
  phone: string,
  optOut: OptOut | null,
  more: Partial<OptOutChange> = {}
): OptOutChange => ({ ...leavesNothing, ...more, environment, phone, optOut })

/** Who wants no campaigns, by environment. */
export class OptOutStore extends Context.Service<
  OptOutStore,
  {
    /** Puts it down or takes it back; answers whether that changed anything, and only then is the rest of the change written. */
    readonly commit: (change: OptOutChange) => Effect.Effect<boolean, StoreError>
    /** Which of these numbers want none. */
    readonly among: (
      environment: string,
      phones: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreError>
    /** By number, after one where it is given. */
    readonly list: (
      environment: string,
      page: { readonly after: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<OptOut>, StoreError>
  }
>()("@countersign/core/optOut/OptOutStore") {}
