import { auditEntry, type By } from "../../foundation/outbox/AuditEntry.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Agent } from "./Agent.ts"
import { isSameMembership, membershipKey, type Opening } from "./Opening.ts"
import type { SubjectStore } from "./SubjectStore.ts"

/**
 * A provider's subject that no longer opens these agents of an address, with the history entries. The subject itself
 * stays: after deletion, its address would admit it again.
 */
export const unlinkSubject = (
  subject: SubjectStore.KnownSubject,
  dropped: ReadonlyArray<Agent>,
  by: By,
  now: Instant
) => {
  const isDropped = (opening: Opening) => dropped.some((agent) => isSameMembership(opening, membershipKey(agent)))
  return {
    subject: { ...subject, opens: subject.opens.filter((opening) => !isDropped(opening)) },
    audited: dropped.map((agent) =>
      auditEntry(
        { ...by, merchantId: agent.merchantId, environment: null },
        {
          action: "provider.removed",
          target: { kind: "agent", id: String(agent.id) },
          from: { issuer: subject.issuer }
        },
        now
      )
    )
  }
}
