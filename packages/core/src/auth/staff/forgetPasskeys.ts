import { Clock, Effect } from "effect"
import { inField } from "../../foundation/identity/InvalidField.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import { auditEntry, type By } from "../../foundation/outbox/AuditEntry.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import type { Agent } from "./Agent.ts"
import { openingOf } from "./Opening.ts"
import { opens, removed } from "./Passkey.ts"
import { PasskeyStore } from "./PasskeyStore.ts"
import { StaffStore } from "./StaffStore.ts"
import { SubjectStore } from "./SubjectStore.ts"
import { unlinkSubject } from "./unlinkSubject.ts"

/** How many passkeys of an address were removed, and how many bindings to sign-in providers. */
export interface Forgotten {
  readonly passkeys: number
  readonly bindings: number
}

/**
 * Removes all passkeys and provider bindings of an address: for the operator, when a person has lost theirs. Each
 * affected merchant sees it in its history. The next sign-in needs a code or a link.
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
  const people = yield* StaffStore
  const subjects = yield* SubjectStore
  const { canonical } = yield* Effect.mapError(
    Effect.fromResult(Identity.parse("EMAIL", email.trim())),
    inField("email")
  )
  const agents = (yield* people.memberships(canonical)).map(({ agent }) => agent)
  const now = yield* Clock.currentTimeMillis
  const doerAt = ({ merchantId }: Agent) => ({ ...by, merchantId, environment: null })
  const known = yield* passkeys.list(canonical)
  for (const passkey of known) {
    const audited = agents
      .filter((agent) => opens(passkey, agent) !== null)
      .map((agent) =>
        auditEntry(
          doerAt(agent),
          { action: "passkey.removed", target: { kind: "passkey", id: passkey.id }, from: { name: passkey.name } },
          now
        )
      )
    yield* passkeys.commit({ ...noRecords, passkey: removed(passkey, now), audited })
  }
  let bindings = 0
  for (const subject of yield* subjects.list(canonical)) {
    const opened = agents.filter((agent) => openingOf(subject.opens, agent) !== null)
    if (opened.length === 0) continue
    yield* subjects.commit({ ...noRecords, ...unlinkSubject(subject, opened, by, now) })
    bindings += opened.length
  }
  const forgotten: Forgotten = { passkeys: known.length, bindings }
  return forgotten
}, untilCommitted)
