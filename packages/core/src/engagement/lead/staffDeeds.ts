import { type AuditEntry, auditChange, auditEntry, type AuditFields } from "../../foundation/outbox/AuditEntry.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { Agent } from "../../auth/staff/Agent.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Team } from "../../auth/staff/Team.ts"

type Member = Agent | Team

/** The audited fields that the agent sets alone. */
const ownFields = ({ devices, digest, name }: Agent): AuditFields => ({
  ...(name == null ? {} : { name }),
  ...(digest?.minutes == null ? {} : { digestMinutes: digest.minutes }),
  ...(devices == null || devices.length === 0 ? {} : { devices: devices.length })
})

/** The audited fields of an agent or a team. The e-mail is unmasked, because team members are not customers. */
const known = (member: Member): AuditFields =>
  "email" in member
    ? { email: member.email, role: member.role, status: member.status, ...ownFields(member) }
    : { name: member.name, assignment: member.assignment, members: member.members, takesNew: member.takesNew }

/**
 * The audit entries of a change to an agent or a team. `from` is null for a new one. Both belong to the merchant, so
 * the entry has no environment.
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
