import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { JsonObject, Limit, listOf, Timestamp } from "../contract/Field.ts"
import { StaffAdmin, Viewer } from "../contract/Security.ts"

const Actor = Schema.Struct({
  kind: Schema.Literals(["AGENT", "KEY", "OPERATOR", "SYSTEM"]),
  id: Schema.NullOr(
    Schema.String.annotate({ description: "An agent's id or a client id; the operator and the service have none" })
  ),
  label: Schema.NullOr(Schema.String.annotate({ examples: ["asha@example.com"] }))
}).annotate({ identifier: "AuditActor" })

const change = {
  id: Schema.String,
  at: Timestamp,
  actor: Actor,
  address: Schema.NullOr(Schema.String.annotate({ description: "Where the request came from" })),
  from: Schema.NullOr(JsonObject.annotate({ description: "By field, what was before; null where nothing was" })),
  to: Schema.NullOr(JsonObject.annotate({ description: "By field, what is from then on; null where nothing is" }))
}

export const AuditAnswer = Schema.Struct({
  ...change,
  environment: Schema.NullOr(Schema.Literals(["live", "test"])).annotate({
    description: "Null for what belongs to the merchant, and not to one environment"
  }),
  action: Schema.String.annotate({ examples: ["settings.changed"] }),
  target: Schema.Struct({ kind: Schema.String, id: Schema.String })
}).annotate({ identifier: "AuditEntry" })

export const SettingsChangeAnswer = Schema.Struct(change).annotate({ identifier: "SettingsChange" })

const page = { cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Limit) }

/** What a list of entries may be asked for. */
export const auditQuery = {
  action: Schema.optionalKey(Schema.String.annotate({ examples: ["key.rolled"] })),
  actor: Schema.optionalKey(
    Schema.String.annotate({ description: "An agent's id, a client id, or one of the words OPERATOR and SYSTEM" })
  ),
  target: Schema.optionalKey(Schema.String.annotate({ description: "The id of what was done to" })),
  environment: Schema.optionalKey(Schema.Literals(["live", "test", "none"])),
  from: Schema.optionalKey(Timestamp.annotate({ description: "The beginning" })),
  to: Schema.optionalKey(Timestamp.annotate({ description: "The end, which is not in it" })),
  ...page
}

/** Who did what. */
export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit", {
      query: auditQuery,
      success: listOf(AuditAnswer),
      error: answers.search
    })
      .middleware(StaffAdmin)
      .annotateMerge(
        describe(
          "List who did what",
          "Newest first, of the last year. A key sees its own environment and what belongs to none; whoever is signed in sees both environments."
        )
      ),
    HttpApiEndpoint.get("settings", "/settings/history", {
      query: page,
      success: listOf(SettingsChangeAnswer),
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(describe("List changes of settings", "Newest first, with the fields that differ."))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Audit",
      description: "Who changed what, with what it was before and what it is now."
    })
  ) {}
