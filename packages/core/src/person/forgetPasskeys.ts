import { Clock, Effect } from "effect"
import { InvalidField } from "../identity/InvalidField.ts"
import * as Identity from "../identity/Identity.ts"
import { auditEntry, type By } from "../outbox/AuditEntry.ts"
import { leavesNothing } from "../outbox/Change.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { removed } from "./Passkey.ts"
import { PasskeyStore } from "./PasskeyStore.ts"
import { PersonStore } from "./PersonStore.ts"

/**
 * Takes all passkeys of an address away, and answers how many there were: for the operator, when somebody has lost theirs.
 * Every merchant that one of them opened finds it in its audit.
 *
 * @example
 * ```ts
 * import { forgetPasskeys } from "@countersign/core"
 * import { operator } from "@countersign/core/storage"
 *
 * const program = forgetPasskeys("asha@example.com", { actor: operator, address: null })
 * ```
 */
export const forgetPasskeys = Effect.fnUntraced(function* (email: string, by: By) {
  const passkeys = yield* PasskeyStore
  const people = yield* PersonStore
  const { canonical } = yield* Effect.mapError(
    Effect.fromResult(Identity.parse("EMAIL", email.trim())),
    ({ problem }) => new InvalidField({ field: "email", problem })
  )
  const known = yield* passkeys.list(canonical)
  const posts = yield* people.posts(canonical)
  const now = yield* Clock.currentTimeMillis
  for (const passkey of known) {
    const opened = posts.filter(({ merchant }) => passkey.merchantId === null || passkey.merchantId === merchant.id)
    yield* passkeys.commit({
      ...leavesNothing,
      passkey: removed(passkey, now),
      audited: opened.map(({ merchant }) =>
        auditEntry(
          { ...by, merchantId: merchant.id, environment: null },
          { action: "passkey.removed", target: { kind: "passkey", id: passkey.id }, from: { name: passkey.name } },
          now
        )
      )
    })
  }
  return known.length
}, untilCommitted)
