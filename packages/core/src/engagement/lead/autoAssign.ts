import { type Agent, isActive } from "../../auth/staff/Agent.ts"
import { assign, moveToTeam, teamOf } from "./changeLead.ts"
import type { StepActor, LeadStep } from "./LeadStep.ts"
import type { Lead } from "./Lead.ts"
import type { StaffStore } from "../../auth/staff/StaffStore.ts"
import type { Team } from "../../auth/staff/Team.ts"

/** The input of an automatic assignment, in addition to the staff. */
export interface Choosing {
  /** The team's turn number, counted from 1. */
  readonly turn: (team: Team) => number
  /** How many open leads an agent owns. */
  readonly open: (agentId: number) => number
}

/** The team for an unassigned lead: its own, otherwise the team that takes new leads. */
export const caringTeam = (lead: Lead, staff: StaffStore.Staff): Team | null =>
  teamOf(lead, staff) ?? staff.teams.find(({ takesNew }) => takesNew) ?? null

/** The members of a team who can own leads, in the order of turns. */
export const candidates = ({ members }: Team, { agents }: StaffStore.Staff) =>
  members.flatMap((member) => agents.filter((agent) => agent.id === member && isActive(agent)))

/**
 * Assigns an unassigned lead after its first message or when it is reopened. The lead moves to its team, or to the team
 * that takes new leads, and the team's rule picks one of the active members.
 */
export const autoAssign = (step: LeadStep, staff: StaffStore.Staff, choosing: Choosing, actor: StepActor): LeadStep => {
  if (step.lead.assignedTo !== null && ownerIsThere(step.lead, staff)) return step
  const team = caringTeam(step.lead, staff)
  if (team === null) return step
  const inTeam = moveToTeam(step, team, staff, actor) ?? step
  const able = team.assignment === "OFF" ? [] : candidates(team, staff)
  if (able.length === 0) return inTeam
  const equal = team.assignment === "LEAST_OPEN" ? leastOpen(able, choosing) : able
  const chosen = equal[(choosing.turn(team) - 1) % equal.length]
  return (chosen === undefined ? null : assign(inTeam, chosen, staff, actor)) ?? inTeam
}

const leastOpen = (able: ReadonlyArray<Agent>, { open }: Choosing): ReadonlyArray<Agent> => {
  const fewest = Math.min(...able.map(({ id }) => open(id)))
  return able.filter(({ id }) => open(id) === fewest)
}

/** A removed agent owns no leads, even before all of them are released. */
const ownerIsThere = ({ assignedTo }: Lead, { agents }: StaffStore.Staff): boolean =>
  agents.some(({ id }) => id === assignedTo)
