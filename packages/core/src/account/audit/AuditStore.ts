import { Context, type Effect } from "effect"
import type { AuditEntry } from "../../foundation/outbox/AuditEntry.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** Reads history entries. Changes write them, in `audited`. */
export class AuditStore extends Context.Service<
  AuditStore,
  {
    /** A page, newest first: by id, and so by time. `after` is the last id of the previous page. */
    readonly list: (
      filter: AuditStore.Filter,
      page: { readonly after: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<AuditEntry>, StoreError>
  }
>()("@countersign/core/audit/AuditStore") {}

export declare namespace AuditStore {
  /** Filters for a merchant's entries. An entry must match all of them. */
  export interface Filter {
    readonly merchantId: string
    /** Entries of one of these environments; null selects entries without an environment. Undefined selects all. */
    readonly environments?: ReadonlyArray<string | null>
    readonly action?: string
    /** An agent's number, a key's id, or the kind of an actor without an id: OPERATOR, SYSTEM. */
    readonly actor?: string
    readonly targetId?: string
    /** Entries at or after this instant. */
    readonly from?: Instant
    /** Entries before this instant. */
    readonly to?: Instant
  }
}
