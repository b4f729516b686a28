import { type Agent, isActive } from "../../auth/staff/Agent.ts"
import type { Lead } from "./Lead.ts"
import { unchanged, type StepActor, withEntry, type LeadStep } from "./LeadStep.ts"
import type { Team } from "../../auth/staff/Team.ts"

const isOwner = (agent: Agent): boolean => isActive(agent) && agent.role === "OWNER"

/**
 * Another owner of the merchant, when the change takes an owner away. Null when this was the last owner, so the change
 * must be rejected. Undefined when the change takes no owner away.
 */
export const remainingOwner = (before: Agent, after: Agent, agents: ReadonlyArray<Agent>): Agent | null | undefined =>
  isOwner(before) && !isOwner(after)
    ? (agents.find((agent) => agent.id !== before.id && isOwner(agent)) ?? null)
    : undefined

/** Removes the agent as a lead's owner. Null when the lead has another owner by now. */
export const givenBack = (lead: Lead, { email, id }: Pick<Agent, "email" | "id">, actor: StepActor): LeadStep | null =>
  lead.assignedTo === id ? withEntry(unchanged(lead), { assignedTo: null }, actor, "ASSIGNED", email, null) : null

/** Removes an agent from a team. */
export const withoutMember = (team: Team, agentId: number): Team => ({
  ...team,
  members: team.members.filter((member) => member !== agentId)
})
