import { type Agent, isActive } from "../../auth/person/Agent.ts"
import type { Lead } from "./Lead.ts"
import { unchanged, type StepActor, withEntry, type LeadStep } from "./LeadStep.ts"
import type { Team } from "../../auth/person/Team.ts"

const isOwner = (agent: Agent): boolean => isActive(agent) && agent.role === "OWNER"

/**
 * Somebody else who owns the merchant. Where the last owner would leave or be demoted there is nobody: null, and the
 * change is refused. Undefined where the change takes no owner away.
 */
export const remainingOwner = (before: Agent, after: Agent, agents: ReadonlyArray<Agent>): Agent | null | undefined =>
  isOwner(before) && !isOwner(after)
    ? (agents.find((agent) => agent.id !== before.id && isOwner(agent)) ?? null)
    : undefined

/** A lead without the owner who left. Null when it is somebody else's by now. */
export const givenBack = (lead: Lead, { email, id }: Pick<Agent, "email" | "id">, actor: StepActor): LeadStep | null =>
  lead.assignedTo === id ? withEntry(unchanged(lead), { assignedTo: null }, actor, "ASSIGNED", email, null) : null

/** A team without somebody who was removed. */
export const withoutMember = (team: Team, agentId: number): Team => ({
  ...team,
  members: team.members.filter((member) => member !== agentId)
})
