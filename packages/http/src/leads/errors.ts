import type { AboveOwnRole, UnknownAgent, UnknownLead, UnknownTeam } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of leads, agents and teams. */
export const errors = defineErrors({
  UnknownLead: (_: UnknownLead) => ({
    errorCode: "LEAD_NOT_FOUND",
    message: "No lead has this id or number in this environment"
  }),
  UnknownAgent: (_: UnknownAgent) => ({
    errorCode: "AGENT_NOT_FOUND",
    message: "No agent has this id or e-mail address, or the agent is not ACTIVE and gets no leads"
  }),
  AboveOwnRole: (_: AboveOwnRole) => ({
    errorCode: "FORBIDDEN",
    message:
      "Only a signed-in OWNER may create, change or remove an OWNER, create a link for an ACTIVE agent, or change the address of an agent who is not INVITED; ask an owner or the operator"
  }),
  UnknownTeam: (_: UnknownTeam) => ({ errorCode: "TEAM_NOT_FOUND", message: "No team has this id or name" })
})
