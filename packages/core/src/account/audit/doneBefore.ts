import { Effect } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import type { AuditEntry } from "../../foundation/outbox/AuditEntry.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { AuditStore } from "./AuditStore.ts"

/** Covers several processes that write in the same millisecond. */
const most = 1_000

/**
 * Returns the audit entry that an earlier try of this request committed with its change (`RequestKey.marked`), or null.
 * If ids are numbers that do not follow from the key, the entry tells a repeated request which record was changed.
 */
export const doneBefore = Effect.fnUntraced(function* (
  store: AuditStore["Service"],
  merchantId: string
): Effect.fn.Return<AuditEntry | null, StoreError> {
  const request = yield* RequestKey.RequestKey
  if (request === null || !request.isRepeat) return null
  const id = RequestKey.idOf(request, "aud")
  const entries = yield* store.list(
    { merchantId, from: request.firstAt, to: request.firstAt + 1 },
    { after: null, limit: most }
  )
  return entries.find((entry) => entry.id === id) ?? null
})
