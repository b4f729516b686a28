import { LeadOrigin, LeadStatus } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { bodyOptional } from "../contract/BodyOptional.ts"
import { describe } from "../contract/describe.ts"
import { NotFound, TooMany } from "../contract/ErrorEnvelope.ts"
import { CountedId, Flag, optional, text, WholeNumber } from "../contract/Field.ts"
import { LeadsAgent, LeadsViewer } from "../contract/Security.ts"

const Phone = Schema.String.annotate({
  description: "A customer's number with country code, in any spelling. Ten digits are read as an Indian number",
  examples: ["+91 98765 43210"]
})
const AgentEmail = Schema.String.annotate({
  description: "An active agent's e-mail address. Absent or empty: the lead becomes unassigned",
  examples: ["asha@example.com"]
})
const TeamName = text({ maxLength: 100 }).annotate({
  description: "A team's name, case-insensitive. Absent: the lead leaves its team",
  examples: ["Sales"]
})

export const leadFields = {
  id: Schema.Int.annotate({ examples: [42] }),
  contact: Schema.String.annotate({
    description:
      "The customer's WhatsApp number as digits with country code, or a WhatsApp id if the customer hides the number",
    examples: ["919876543210"]
  }),
  name: Schema.NullOr(Schema.String.annotate({ description: "The customer's profile name on WhatsApp" })),
  status: Schema.Literals(LeadStatus),
  assignedTo: Schema.NullOr(
    Schema.String.annotate({ description: "The e-mail address of the agent who owns the lead" })
  ),
  teamName: Schema.NullOr(Schema.String),
  origin: Schema.Literals(LeadOrigin).annotate({
    description:
      "INBOUND: the customer wrote first. CAMPAIGN: the customer replied to a campaign. LEAD: an agent created it"
  }),
  lastMessageAt: Schema.NullOr(
    Schema.String.annotate({
      description: "Indian time, with milliseconds and without an offset",
      examples: ["2026-01-31T15:00:00.000"]
    })
  ),
  unreadCount: Schema.Int
}

export const LeadAnswer = Schema.Struct(leadFields).annotate({ identifier: "Lead" })

export const AgentAnswer = Schema.Struct({
  id: Schema.Int,
  email: Schema.String,
  role: Schema.Literals(["OWNER", "ADMIN", "AGENT", "VIEWER"]),
  status: Schema.Literals(["INVITED", "ACTIVE", "SUSPENDED"])
}).annotate({ identifier: "Agent" })

export const TeamAnswer = Schema.Struct({ id: Schema.Int, name: Schema.String }).annotate({ identifier: "Team" })

const lastPage = 10_000_000

export const LeadsQuery = {
  phone: Schema.optionalKey(Phone),
  assignedTo: Schema.optionalKey(Schema.String.annotate({ description: "Only the leads of this agent" })),
  unassignedOnly: Schema.optionalKey(Flag.annotate({ description: "Only unassigned leads" })),
  page: Schema.optionalKey(
    WholeNumber({ minimum: 0, maximum: lastPage }).annotate({ description: "Counted from 0. Default: 0" })
  ),
  size: Schema.optionalKey(WholeNumber({ minimum: 1, maximum: 200 }).annotate({ description: "Default: 50" }))
}

export const AssignPayload = Schema.Struct({ agentEmail: optional(AgentEmail) }).annotate({
  identifier: "AssignRequest"
})
export const AssignByPhonePayload = Schema.Struct({ phone: Phone, agentEmail: optional(AgentEmail) }).annotate({
  identifier: "AssignByPhoneRequest"
})
export const TeamPayload = Schema.Struct({ teamName: optional(TeamName) }).annotate({ identifier: "LeadTeamRequest" })
export const TeamByPhonePayload = Schema.Struct({ phone: Phone, teamName: optional(TeamName) }).annotate({
  identifier: "LeadTeamByPhoneRequest"
})

const leadId = { leadId: CountedId }
const changed = { success: LeadAnswer, error: [...answers.post, NotFound] }

/** The leads of one environment, for the merchant's own programs. */
export class LeadsApi extends HttpApiGroup.make("leads")
  .add(
    HttpApiEndpoint.get("list", "/leads", {
      query: LeadsQuery,
      success: Schema.Array(LeadAnswer),
      error: [...answers.search, TooMany]
    })
      .middleware(LeadsViewer)
      .annotateMerge(
        describe(
          "List leads",
          "Most recently active first. Request pages until one contains fewer than `size` leads. A lead that becomes active in the meantime moves to the first page, and another lead appears twice."
        )
      ),
    HttpApiEndpoint.get("agents", "/leads/agents", {
      success: Schema.Array(AgentAnswer),
      error: answers.read
    })
      .middleware(LeadsViewer)
      .annotateMerge(describe("List agents", "Without removed agents. Leads can be assigned to ACTIVE agents.")),
    HttpApiEndpoint.get("teams", "/leads/teams", {
      success: Schema.Array(TeamAnswer),
      error: answers.read
    })
      .middleware(LeadsViewer)
      .annotateMerge(describe("List teams", "Oldest first.")),
    HttpApiEndpoint.post("assign", "/leads/:leadId/assign", { params: leadId, payload: AssignPayload, ...changed })
      .middleware(LeadsAgent)
      .annotateMerge(bodyOptional)
      .annotateMerge(describe("Assign a lead", "Without `agentEmail` the lead becomes unassigned.")),
    HttpApiEndpoint.post("assignByPhone", "/leads/assign", { payload: AssignByPhonePayload, ...changed })
      .middleware(LeadsAgent)
      .annotateMerge(describe("Assign a lead by phone number", "Without `agentEmail` the lead becomes unassigned.")),
    HttpApiEndpoint.post("moveToTeam", "/leads/:leadId/team", { params: leadId, payload: TeamPayload, ...changed })
      .middleware(LeadsAgent)
      .annotateMerge(bodyOptional)
      .annotateMerge(
        describe("Move a lead to a team", "Without `teamName` the lead leaves its team. Its owner does not change.")
      ),
    HttpApiEndpoint.post("moveToTeamByPhone", "/leads/team", { payload: TeamByPhonePayload, ...changed })
      .middleware(LeadsAgent)
      .annotateMerge(
        describe(
          "Move a lead to a team by phone number",
          "Without `teamName` the lead leaves its team. Its owner does not change."
        )
      )
  )
  .prefix("/v1/whatsapp")
  .annotateMerge(
    OpenApi.annotations({
      title: "Leads",
      description: "Customers who wrote on WhatsApp, and the agents who own the conversations."
    })
  ) {}
