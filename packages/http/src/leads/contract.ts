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
  description: "A customer's number with country code, however it is written; ten digits are tried as Indian",
  examples: ["+91 98765 43210"]
})
const AgentEmail = Schema.String.annotate({
  description: "An active agent's e-mail address; left out or empty, the lead is nobody's",
  examples: ["asha@example.com"]
})
const TeamName = text({ maxLength: 100 }).annotate({
  description: "A team's name, in any case; left out, the lead leaves its team",
  examples: ["Sales"]
})

export const leadFields = {
  id: Schema.Int.annotate({ examples: [42] }),
  contact: Schema.String.annotate({
    description: "The customer's WhatsApp number as digits with country code, or WhatsApp's own id of one who hides it",
    examples: ["919876543210"]
  }),
  name: Schema.NullOr(Schema.String.annotate({ description: "What the customer calls themselves on WhatsApp" })),
  status: Schema.Literals(LeadStatus),
  assignedTo: Schema.NullOr(Schema.String.annotate({ description: "The e-mail address of the agent who owns it" })),
  teamName: Schema.NullOr(Schema.String),
  origin: Schema.Literals(LeadOrigin).annotate({
    description: "INBOUND: the customer wrote first. CAMPAIGN: they answered one. LEAD: an agent entered them"
  }),
  lastMessageAt: Schema.NullOr(
    Schema.String.annotate({
      description: "The time in India, with milliseconds and without an offset",
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
  unassignedOnly: Schema.optionalKey(Flag.annotate({ description: "Only leads that nobody owns" })),
  page: Schema.optionalKey(
    WholeNumber({ minimum: 0, maximum: lastPage }).annotate({ description: "From 0, which is the default" })
  ),
  size: Schema.optionalKey(WholeNumber({ minimum: 1, maximum: 200 }).annotate({ description: "50, if it is left out" }))
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
          "The most recently active first. Ask for pages until one holds fewer than `size`. A lead that becomes active meanwhile moves to the first page, and one of its neighbours comes twice."
        )
      ),
    HttpApiEndpoint.get("agents", "/leads/agents", {
      success: Schema.Array(AgentAnswer),
      error: answers.read
    })
      .middleware(LeadsViewer)
      .annotateMerge(
        describe("List agents", "Those who were removed are left out. Leads can be given to the ACTIVE ones.")
      ),
    HttpApiEndpoint.get("teams", "/leads/teams", {
      success: Schema.Array(TeamAnswer),
      error: answers.read
    })
      .middleware(LeadsViewer)
      .annotateMerge(describe("List teams", "By age.")),
    HttpApiEndpoint.post("assign", "/leads/:leadId/assign", { params: leadId, payload: AssignPayload, ...changed })
      .middleware(LeadsAgent)
      .annotateMerge(bodyOptional)
      .annotateMerge(describe("Give a lead to an agent", "Without `agentEmail` it is nobody's.")),
    HttpApiEndpoint.post("assignByPhone", "/leads/assign", { payload: AssignByPhonePayload, ...changed })
      .middleware(LeadsAgent)
      .annotateMerge(describe("Give a lead to an agent, by number", "Without `agentEmail` it is nobody's.")),
    HttpApiEndpoint.post("moveToTeam", "/leads/:leadId/team", { params: leadId, payload: TeamPayload, ...changed })
      .middleware(LeadsAgent)
      .annotateMerge(bodyOptional)
      .annotateMerge(
        describe("Move a lead to a team", "Without `teamName` it leaves its team. Whose lead it is does not change.")
      ),
    HttpApiEndpoint.post("moveToTeamByPhone", "/leads/team", { payload: TeamByPhonePayload, ...changed })
      .middleware(LeadsAgent)
      .annotateMerge(
        describe(
          "Move a lead to a team, by number",
          "Without `teamName` it leaves its team. Whose lead it is does not change."
        )
      )
  )
  .prefix("/v1/whatsapp")
  .annotateMerge(
    OpenApi.annotations({
      title: "Leads",
      description: "Customers who wrote on WhatsApp: who they are and who looks after them."
    })
  ) {}
