import { type Agent, Agents, Leads, type Team, Teams } from "@countersign/core"
import { Effect } from "effect"
import type { Handlers } from "../Handlers.ts"
import type { LeadsApi } from "./contract.ts"
import type { errors as auth } from "../auth/errors.ts"
import type { errors } from "./errors.ts"
import { shownLead } from "./shownLead.ts"

const shownAgent = ({ email, id, role, status }: Agent) => ({ id, email, role, status })

const shownTeam = ({ id, name }: Team) => ({ id, name })

/** Answers `/v1/whatsapp/leads/*`. */
export const make = Effect.gen(function* () {
  const leads = yield* Leads
  const agents = yield* Agents
  const teams = yield* Teams
  const handlers: Handlers<typeof LeadsApi, typeof auth | typeof errors> = {
    list: ({ caller, query }) => Effect.map(leads.page(caller, query), (found) => found.map(shownLead(caller))),
    agents: ({ caller }) => Effect.map(agents.list(caller), (found) => found.map(shownAgent)),
    teams: ({ caller }) => Effect.map(teams.list(caller), (found) => found.map(shownTeam)),
    assign: ({ caller, params, payload }) =>
      Effect.map(leads.assign(caller, params, payload.agentEmail), shownLead(caller)),
    assignByPhone: ({ caller, payload: { agentEmail, phone } }) =>
      Effect.map(leads.assign(caller, { phone }, agentEmail), shownLead(caller)),
    moveToTeam: ({ caller, params, payload }) =>
      Effect.map(leads.moveToTeam(caller, params, payload.teamName), shownLead(caller)),
    moveToTeamByPhone: ({ caller, payload: { phone, teamName } }) =>
      Effect.map(leads.moveToTeam(caller, { phone }, teamName), shownLead(caller))
  }
  return handlers
})
