import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { asCsv, CsvFile } from "../csv/contract.ts"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { JsonObject, Limit, listOf, Timestamp } from "../contract/Field.ts"
import { StaffAdmin, Viewer } from "../contract/Security.ts"

const Actor = Schema.Struct({
  kind: Schema.Literals(["AGENT", "KEY", "OPERATOR", "SYSTEM"]),
  id: Schema.NullOr(
    Schema.String.annotate({ description: "An agent's id or a client id. Null for the operator and the service" })
  ),
  label: Schema.NullOr(Schema.String.annotate({ examples: ["asha@example.com"] }))
}).annotate({ identifier: "AuditActor" })

const change = {
  id: Schema.String,
  at: Timestamp,
  actor: Actor,
  address: Schema.NullOr(Schema.String.annotate({ description: "The IP address of the request" })),
  from: Schema.NullOr(
    JsonObject.annotate({ description: "The previous values by field. Null when nothing had a value" })
  ),
  to: Schema.NullOr(JsonObject.annotate({ description: "The new values by field. Null when nothing has a value" }))
}

export const AuditAnswer = Schema.Struct({
  ...change,
  environment: Schema.NullOr(Schema.Literals(["live", "test"])).annotate({
    description: "Null for changes to the merchant itself"
  }),
  action: Schema.String.annotate({ examples: ["settings.changed"] }),
  target: Schema.Struct({ kind: Schema.String, id: Schema.String })
}).annotate({ identifier: "AuditEntry" })

export const SettingsChangeAnswer = Schema.Struct(change).annotate({ identifier: "SettingsChange" })

const page = { cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Limit) }

/** The filters of a list of entries. */
export const auditQuery = {
  action: Schema.optionalKey(Schema.String.annotate({ examples: ["key.rolled"] })),
  actor: Schema.optionalKey(
    Schema.String.annotate({ description: "An agent's id, a client id, `OPERATOR` or `SYSTEM`" })
  ),
  target: Schema.optionalKey(Schema.String.annotate({ description: "The id of the changed object" })),
  text: Schema.optionalKey(
    Schema.String.annotate({
      description: "A text in the action, or in the name or id of the actor or the target, such as `asha`"
    })
  ),
  environment: Schema.optionalKey(Schema.Literals(["live", "test", "none"])),
  from: Schema.optionalKey(Timestamp.annotate({ description: "Start of the range (inclusive)" })),
  to: Schema.optionalKey(Timestamp.annotate({ description: "End of the range (exclusive)" })),
  ...page
}

/** The audit log. */
export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit", {
      query: auditQuery,
      success: [listOf(AuditAnswer), CsvFile],
      error: answers.search
    })
      .middleware(StaffAdmin)
      .annotateMerge(
        describe(
          "List audit log entries",
          `The last year, newest first. A key sees its own environment and entries without an environment. A signed-in agent sees both environments. ${asCsv}`
        )
      ),
    HttpApiEndpoint.get("settings", "/settings/history", {
      query: page,
      success: listOf(SettingsChangeAnswer),
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(describe("List changes of settings", "Newest first, with the changed fields."))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Audit",
      description: "Who changed what, with the values before and after."
    })
  ) {}
