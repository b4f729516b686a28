import { Effect } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import type { AuditEntry } from "../../foundation/outbox/AuditEntry.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { AuditStore } from "./AuditStore.ts"

/** More than one process writes in a millisecond. */
const most = 1_000

/**
 * The audit entry that an earlier try of this request left with its change, written by `RequestKey.marked`; null where
 * none was committed. It tells a repeat what was changed, where ids are numbers that do not follow from the key.
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
