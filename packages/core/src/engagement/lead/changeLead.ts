import { type Agent, isActive } from "../../auth/person/Agent.ts"
import { unchanged, type StepActor, withEntry, type LeadStep } from "./LeadStep.ts"
import type { Lead } from "./Lead.ts"
import type { StaffStore } from "../../auth/person/StaffStore.ts"
import type { Team } from "../../auth/person/Team.ts"

/** The owner's address; null for nobody, and for somebody who was removed. */
export const ownerOf = ({ assignedTo }: Lead, { agents }: StaffStore.Staff): string | null =>
  agents.find(({ id }) => id === assignedTo)?.email ?? null

/** The team that a lead is in; null for none, and for one that was removed. */
export const teamOf = ({ teamId }: Lead, { teams }: StaffStore.Staff): Team | null =>
  teams.find(({ id }) => id === teamId) ?? null

/** Gives a lead to somebody, or with null to nobody. Null when nothing changes, or they may not be given any. */
export const assign = (
  step: LeadStep,
  agent: Agent | null,
  staff: StaffStore.Staff,
  actor: StepActor
): LeadStep | null => {
  const { lead } = step
  if (lead.assignedTo === (agent?.id ?? null) || (agent !== null && !isActive(agent))) return null
  return withEntry(
    step,
    { assignedTo: agent?.id ?? null },
    actor,
    "ASSIGNED",
    ownerOf(lead, staff),
    agent?.email ?? null
  )
}

/** Moves a lead to a team, or with null out of its team. Its owner stays. Null when nothing changes. */
export const moveToTeam = (
  step: LeadStep,
  team: Team | null,
  staff: StaffStore.Staff,
  actor: StepActor
): LeadStep | null => {
  const before = teamOf(step.lead, staff)
  if (step.lead.teamId === (team?.id ?? null)) return null
  const changed = { teamId: team?.id ?? null }
  // It is in a team that was removed: nobody saw it there.
  if (before === null && team === null) return { ...step, lead: { ...step.lead, ...changed } }
  return withEntry(step, changed, actor, "TEAM", before?.name ?? null, team?.name ?? null)
}

/** Null when it is closed already. */
export const close = (lead: Lead, actor: StepActor): LeadStep | null =>
  lead.status === "CLOSED" ? null : withEntry(unchanged(lead), { status: "CLOSED" }, actor, "CLOSED")

/** Null when it is open already. */
export const reopen = (lead: Lead, actor: StepActor): LeadStep | null =>
  lead.status === "OPEN" ? null : withEntry(unchanged(lead), { status: "OPEN" }, actor, "REOPENED")

/** Null when nothing of it is unread. That somebody has read is not history. */
export const read = (lead: Lead): LeadStep | null =>
  lead.unreadCount === 0 ? null : unchanged({ ...lead, unreadCount: 0 })

/** Null when something of it is unread already. Whoever marks it wants to come back to it. */
export const unread = (lead: Lead): LeadStep | null =>
  lead.unreadCount > 0 ? null : unchanged({ ...lead, unreadCount: 1 })
