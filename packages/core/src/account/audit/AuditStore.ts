import { Context, type Effect } from "effect"
import type { AuditEntry } from "../../foundation/outbox/AuditEntry.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** What people have done. Entries come with the changes they tell of, in `audited`; here they are read. */
export class AuditStore extends Context.Service<
  AuditStore,
  {
    /** A page, the newest first: by id, which is by time. `after` is the last id of the page before. */
    readonly list: (
      filter: AuditStore.Filter,
      page: { readonly after: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<AuditEntry>, StoreError>
  }
>()("@countersign/core/audit/AuditStore") {}

export declare namespace AuditStore {
  /** Which entries of a merchant a list is of. All that is given must hold. */
  export interface Filter {
    readonly merchantId: string
    /** Entries of one of these environments; null is for those that belong to none. Without it, those of all. */
    readonly environments?: ReadonlyArray<string | null>
    readonly action?: string
    /** An agent's number, a key's id, or the kind of an actor that has no id: OPERATOR, SYSTEM. */
    readonly actor?: string
    readonly targetId?: string
    /** Entries of that instant and later ones. */
    readonly from?: Instant
    /** Entries of before that instant. */
    readonly to?: Instant
  }
}
