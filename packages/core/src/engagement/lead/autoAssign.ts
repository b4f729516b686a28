import { type Agent, isActive } from "../../auth/person/Agent.ts"
import { assign, moveToTeam, teamOf } from "./changeLead.ts"
import type { StepActor, LeadStep } from "./LeadStep.ts"
import type { Lead } from "./Lead.ts"
import type { StaffStore } from "../../auth/person/StaffStore.ts"
import type { Team } from "../../auth/person/Team.ts"

/** What an automatic choice goes by, beside the staff. */
export interface Choosing {
  /** Whose turn it is in a team, counted from 1. */
  readonly turn: (team: Team) => number
  /** How many open leads an agent owns. */
  readonly open: (agentId: number) => number
}

/** The team that takes care of a lead nobody owns: its own, or else the one that takes what is new. */
export const caringTeam = (lead: Lead, staff: StaffStore.Staff): Team | null =>
  teamOf(lead, staff) ?? staff.teams.find(({ takesNew }) => takesNew) ?? null

/** The members of a team who can be given leads, in the order in which turns go round. */
export const candidates = ({ members }: Team, { agents }: StaffStore.Staff) =>
  members.flatMap((member) => agents.filter((agent) => agent.id === member && isActive(agent)))

/**
 * What becomes of a lead that nobody owns when it is written to for the first time, or reopened: it comes to its team,
 * or the one that takes new leads, and there to whoever the team's rule chooses among its active members.
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

/** Somebody who was removed owns nothing, even before all was given back. */
const ownerIsThere = ({ assignedTo }: Lead, { agents }: StaffStore.Staff): boolean =>
  agents.some(({ id }) => id === assignedTo)
