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
const role = optional(text({ enum: AgentRole }).annotate({ description: "AGENT, if it is left out" }))
const status = optional(
  text({ enum: AgentStatus }).annotate({ description: "ACTIVE, if it is left out. Leads can be given to ACTIVE ones" })
)

export const StaffAnswer = Schema.Struct(agent).annotate({ identifier: "StaffAgent" })
export const NewStaffAnswer = Schema.Struct(agent).annotate({ identifier: "NewStaffAgent", httpApiStatus: 201 })
export const InvitationAnswer = Schema.Struct({
  url: Schema.String.annotate({
    description: "Shown here and never again",
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

/** What signs an agent in besides codes and links. */
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
      since: Timestamp.annotate({ description: "When the provider's account first signed in here" })
    })
  )
}).annotate({ identifier: "AgentCredentials" })

const team = {
  id: Schema.Int,
  name: Schema.String.annotate({ examples: ["Sales"] }),
  assignment: Schema.Literals(TeamAssignment).annotate({
    description: "Who gets a lead of this team that nobody owns, when it is new or reopened"
  }),
  members: Schema.Array(Schema.Int).annotate({ description: "Ids of agents, in the order in which turns go round" }),
  takesNew: Schema.Boolean.annotate({ description: "New and reopened leads without a team come here" }),
  createdAt: Timestamp
}
const teamChanges = {
  assignment: optional(text({ enum: TeamAssignment })),
  members: optional(Schema.Array(CountedIdNumber)),
  takesNew: optional(Schema.Boolean.annotate({ description: "At most one team: the one before gives it up" }))
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
/** The people who work for a merchant, and their teams: the same in both environments. */
export class AgentApi extends HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.get("list", "/agents", { success: listOf(StaffAnswer), error: answers.read })
      .middleware(StaffViewer)
      .annotateMerge(describe("List agents", "By age. Those who were removed are left out.")),
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
          "Make an invitation",
          "Give the link to somebody who is INVITED: redeeming it signs them in, once, and makes them ACTIVE. It ends the link before. Nothing is sent."
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
        describe("Change an agent", "Send only what changes. The leads of one who is not ACTIVE any more are nobody's.")
      ),
    HttpApiEndpoint.delete("delete", "/agents/:id", {
      params: id,
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(StaffAdminFresh)
      .annotateMerge(describe("Remove an agent", "They leave all teams, and their leads are nobody's.")),
    HttpApiEndpoint.get("credentials", "/agents/:id/credentials", {
      params: id,
      success: CredentialsAnswer,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(StaffOwner)
      .annotateMerge(
        describe("List what signs an agent in", "Passkeys, and accounts at the OpenID Connect provider. For owners.")
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
          "It signs nobody in to this merchant any more. Sessions that it began go on: suspend the agent to end them."
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
          "Remove an agent's binding to the provider",
          "The provider signs them in again after a code or a link. Sessions that it began go on: suspend the agent to end them."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Agents",
      description: "Who works for a merchant, with which role, and what signs them in."
    })
  ) {}

/** Who is given new leads. */
export class TeamApi extends HttpApiGroup.make("teams")
  .add(
    HttpApiEndpoint.get("list", "/teams", { success: listOf(StaffTeamAnswer), error: answers.read })
      .middleware(StaffViewer)
      .annotateMerge(describe("List teams", "By age.")),
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
      .annotateMerge(describe("Change a team", "Send only what changes.")),
    HttpApiEndpoint.delete("delete", "/teams/:id", {
      params: id,
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(StaffAdmin)
      .annotateMerge(describe("Remove a team", "Its leads are of no team any more; whose they are does not change."))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Teams",
      description: "Agents together: whose leads are whose."
    })
  ) {}
