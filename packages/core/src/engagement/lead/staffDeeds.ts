import { type AuditEntry, auditChange, auditEntry, type AuditFields } from "../../foundation/outbox/AuditEntry.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { Agent } from "../../auth/person/Agent.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Team } from "../../auth/person/Team.ts"

type Member = Agent | Team

/** What of somebody who works here, or of a team, is to be known of a deed. Staff are no customers: their e-mail is. */
const known = (member: Member): AuditFields =>
  "email" in member
    ? { email: member.email, role: member.role, status: member.status }
    : { name: member.name, assignment: member.assignment, members: member.members, takesNew: member.takesNew }

/**
 * The entries of what somebody did to an agent or a team: `from` is null where it is new. Both belong to the merchant,
 * so an entry has no environment.
 */
export const staffDeed = (caller: Caller, from: Member | null, to: Member, now: Instant): ReadonlyArray<AuditEntry> => {
  const kind = "email" in to ? "agent" : "team"
  const by = { ...caller, environment: null }
  const target = { kind, id: String(to.id) }
  if (from === null) return [auditEntry(by, { action: `${kind}.created`, target, to: known(to) }, now)]
  return to.removedAt !== null
    ? [auditEntry(by, { action: `${kind}.removed`, target, from: known(from) }, now)]
    : auditChange(by, { action: `${kind}.changed`, target, from: known(from), to: known(to) }, now)
}
