import { Context, type Effect } from "effect"
import type { AuditEntry } from "../outbox/AuditEntry.ts"
import type { StoreError } from "../storage/StoreError.ts"

/** Which entries of a merchant a list is of. All that is given must hold. */
export interface AuditFilter {
  readonly merchantId: string
  /** Entries of this environment, and those that belong to none; without it, those of all. */
  readonly environment?: string
  readonly action?: string
  /** An agent's number or a key's id. */
  readonly actorId?: string
  readonly targetId?: string
}

/** What people have done. Entries come with the changes they tell of, in `audited`; here they are read. */
export class AuditStore extends Context.Service<
  AuditStore,
  {
    /** A page, the newest first: by id, which is by time. `after` is the last id of the page before. */
    readonly list: (
      filter: AuditFilter,
      page: { readonly after: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<AuditEntry>, StoreError>
  }
>()("@countersign/core/audit/AuditStore") {}
