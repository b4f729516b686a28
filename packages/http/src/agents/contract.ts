import { AgentRole, AgentStatus, TeamAssignment } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound } from "../contract/ErrorEnvelope.ts"
import { CountedId, CountedIdNumber, listOf, optional, text, Timestamp } from "../contract/Field.ts"
import { StaffAdmin, StaffAdminFresh, StaffOwner, StaffOwnerFresh, StaffViewer } from "../contract/Security.ts"

const agent = {
  id: Schema.Int,
  email: Schema.String.annotate({ examples: ["asha@example.com"] }),
  role: Schema.Literals(AgentRole),
  status: Schema.Literals(AgentStatus),
  createdAt: Timestamp
}
const role = optional(text({ enum: AgentRole }).annotate({ description: "Default: AGENT" }))
const status = optional(
  text({ enum: AgentStatus }).annotate({ description: "Default: ACTIVE. Leads can be assigned to ACTIVE agents" })
)

export const StaffAnswer = Schema.Struct(agent).annotate({ identifier: "StaffAgent" })
export const NewStaffAnswer = Schema.Struct(agent).annotate({ identifier: "NewStaffAgent", httpApiStatus: 201 })
export const InvitationAnswer = Schema.Struct({
  url: Schema.String.annotate({
    description: "Returned only here",
    examples: ["https://verify.example.com/dashboard#redeem=…"]
  }),
  expiresAt: Timestamp
}).annotate({ identifier: "Invitation" })
export const NewAgentPayload = Schema.Struct({ email: Schema.String, role, status }).annotate({
  identifier: "NewAgentRequest"
})
export const ChangeAgentPayload = Schema.Struct({
  email: optional(Schema.String),
  role: optional(text({ enum: AgentRole })),
  status: optional(text({ enum: AgentStatus }))
}).annotate({ identifier: "ChangeAgentRequest" })

/** The credentials of an agent other than codes and links. */
export const CredentialsAnswer = Schema.Struct({
  passkeys: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String.annotate({ examples: ["My phone"] }),
      createdAt: Timestamp,
      lastUsedAt: Schema.NullOr(Timestamp)
    })
  ),
  providers: Schema.Array(
    Schema.Struct({
      issuer: Schema.String.annotate({ examples: ["https://accounts.example.com"] }),
      since: Timestamp.annotate({ description: "When the provider account first signed in" })
    })
  )
}).annotate({ identifier: "AgentCredentials" })

const team = {
  id: Schema.Int,
  name: Schema.String.annotate({ examples: ["Sales"] }),
  assignment: Schema.Literals(TeamAssignment).annotate({
    description: "How a new or reopened lead without an owner is assigned within the team"
  }),
  members: Schema.Array(Schema.Int).annotate({ description: "Agent ids, in round-robin order" }),
  takesNew: Schema.Boolean.annotate({ description: "Whether new and reopened leads without a team go to this team" }),
  createdAt: Timestamp
}
const teamChanges = {
  assignment: optional(text({ enum: TeamAssignment })),
  members: optional(Schema.Array(CountedIdNumber)),
  takesNew: optional(
    Schema.Boolean.annotate({
      description: "At most one team can have this. Setting it clears it on the previous team"
    })
  )
}
const TeamName = text({ minLength: 1, maxLength: 100 })

export const StaffTeamAnswer = Schema.Struct(team).annotate({ identifier: "StaffTeam" })
export const NewStaffTeamAnswer = Schema.Struct(team).annotate({ identifier: "NewStaffTeam", httpApiStatus: 201 })
export const NewTeamPayload = Schema.Struct({ name: TeamName, ...teamChanges }).annotate({
  identifier: "NewTeamRequest"
})
export const ChangeTeamPayload = Schema.Struct({ name: optional(TeamName), ...teamChanges }).annotate({
  identifier: "ChangeTeamRequest"
})

const id = { id: CountedId }
/** The team members of a merchant. Both environments share them. */
export class AgentApi extends HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.get("list", "/agents", { success: listOf(StaffAnswer), error: answers.read })
      .middleware(StaffViewer)
      .annotateMerge(describe("List agents", "Oldest first, without removed agents.")),
    HttpApiEndpoint.post("create", "/agents", {
      payload: NewAgentPayload,
      success: NewStaffAnswer,
      error: answers.post
    }).middleware(StaffAdminFresh),
    HttpApiEndpoint.get("get", "/agents/:id", {
      params: id,
      success: StaffAnswer,
      error: [BadRequest, ...answers.lookup]
    }).middleware(StaffViewer),
    HttpApiEndpoint.post("invite", "/agents/:id/invite", {
      params: id,
      success: InvitationAnswer,
      error: [...answers.command, NotFound]
    })
      .middleware(StaffAdminFresh)
      .annotateMerge(
        describe(
          "Create an invitation link",
          "Give the link to an INVITED agent. It works once: it signs them in and makes them ACTIVE. A new link revokes the previous one. The service does not send the link."
        )
      ),
    HttpApiEndpoint.patch("update", "/agents/:id", {
      params: id,
      payload: ChangeAgentPayload,
      success: StaffAnswer,
      error: [...answers.change, NotFound]
    })
      .middleware(StaffAdminFresh)
      .annotateMerge(
        describe(
          "Change an agent",
          "Send only the fields to change. When an agent is no longer ACTIVE, their leads become unassigned."
        )
      ),
    HttpApiEndpoint.delete("delete", "/agents/:id", {
      params: id,
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(StaffAdminFresh)
      .annotateMerge(describe("Remove an agent", "The agent leaves all teams, and their leads become unassigned.")),
    HttpApiEndpoint.get("credentials", "/agents/:id/credentials", {
      params: id,
      success: CredentialsAnswer,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(StaffOwner)
      .annotateMerge(
        describe("List an agent's credentials", "Passkeys and OpenID Connect accounts. Only owners may read them.")
      ),
    HttpApiEndpoint.delete("removePasskey", "/agents/:id/credentials/passkeys/:passkeyId", {
      params: { ...id, passkeyId: Schema.String },
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(StaffOwnerFresh)
      .annotateMerge(
        describe(
          "Remove an agent's passkey",
          "The passkey no longer signs in to this merchant. Sessions that it started continue: suspend the agent to end them."
        )
      ),
    HttpApiEndpoint.delete("removeProvider", "/agents/:id/credentials/provider", {
      params: id,
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(StaffOwnerFresh)
      .annotateMerge(
        describe(
          "Remove an agent's identity provider binding",
          "The provider can sign the agent in again after a code or a link. Sessions that it started continue: suspend the agent to end them."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Agents",
      description: "A merchant's team members, their roles and their credentials."
    })
  ) {}

/** Teams decide who gets new leads. */
export class TeamApi extends HttpApiGroup.make("teams")
  .add(
    HttpApiEndpoint.get("list", "/teams", { success: listOf(StaffTeamAnswer), error: answers.read })
      .middleware(StaffViewer)
      .annotateMerge(describe("List teams", "Oldest first.")),
    HttpApiEndpoint.post("create", "/teams", {
      payload: NewTeamPayload,
      success: NewStaffTeamAnswer,
      error: answers.post
    }).middleware(StaffAdmin),
    HttpApiEndpoint.get("get", "/teams/:id", {
      params: id,
      success: StaffTeamAnswer,
      error: [BadRequest, ...answers.lookup]
    }).middleware(StaffViewer),
    HttpApiEndpoint.patch("update", "/teams/:id", {
      params: id,
      payload: ChangeTeamPayload,
      success: StaffTeamAnswer,
      error: [...answers.change, NotFound]
    })
      .middleware(StaffAdmin)
      .annotateMerge(describe("Change a team", "Send only the fields to change.")),
    HttpApiEndpoint.delete("delete", "/teams/:id", {
      params: id,
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(StaffAdmin)
      .annotateMerge(describe("Remove a team", "Its leads have no team afterwards. Their owners do not change."))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Teams",
      description: "Groups of agents that new leads are assigned to."
    })
  ) {}
