import type { AboveOwnRole, UnknownAgent, UnknownLead, UnknownTeam } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How `/v1/whatsapp/leads` fails, on the wire. */
export const errors = defineErrors({
  UnknownLead: (_: UnknownLead) => ({
    errorCode: "LEAD_NOT_FOUND",
    message: "No lead with this id or number in this environment"
  }),
  UnknownAgent: (_: UnknownAgent) => ({
    errorCode: "AGENT_NOT_FOUND",
    message: "No agent with this id or e-mail address, or one who is not ACTIVE and so gets no leads"
  }),
  AboveOwnRole: (_: AboveOwnRole) => ({
    errorCode: "FORBIDDEN",
    message:
      "Only an OWNER, signed in, may make, change or remove an OWNER, make a link for an agent who is ACTIVE, or change the address of one who is not INVITED; ask one of them, or the operator"
  }),
  UnknownTeam: (_: UnknownTeam) => ({ errorCode: "TEAM_NOT_FOUND", message: "No team with this id or name" })
})
