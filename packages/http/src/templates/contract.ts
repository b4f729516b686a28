import { TemplatePurpose } from "@countersign/core"
import { ChannelName, TemplateStatus } from "@countersign/core/channel"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { AnswerKept } from "../contract/AnswerKept.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound, ProviderFailed, Reused } from "../contract/ErrorEnvelope.ts"
import { ChannelField, coded, JsonObject, Limit, listOf, optional, text, Timestamp } from "../contract/Field.ts"
import { Admin, Viewer } from "../contract/Security.ts"

const TemplateId = Schema.String.annotate({ examples: ["tpl_01kaj3v9c0q5w8xn2rz7t4m6hd"] })

const Findings = Schema.Array(
  Schema.Struct({
    severity: Schema.Literals(["error", "warning"]),
    field: Schema.String.annotate({ examples: ["body"] }),
    problem: Schema.String,
    ...coded
  }).annotate({ identifier: "TemplateFinding" })
).annotate({ description: "Problems of the template. An error prevents saving, a warning does not" })

const template = {
  id: TemplateId,
  version: Schema.Int.annotate({
    description: "Increases with each change of the text. Verifications that have started keep their version"
  }),
  name: Schema.String,
  channel: ChannelName,
  purpose: Schema.Literals(TemplatePurpose),
  locale: Schema.NullOr(Schema.String.annotate({ description: "Null: used for every language" })),
  status: Schema.NullOr(
    Schema.Literals(TemplateStatus).annotate({
      description: "WhatsApp only: the approval status. Null when no approval is needed"
    })
  ),
  dltTemplateId: Schema.NullOr(Schema.String),
  dltText: Schema.NullOr(Schema.String),
  header: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  body: Schema.NullOr(Schema.String),
  html: Schema.NullOr(Schema.String),
  whatsappName: Schema.NullOr(Schema.String),
  whatsappLanguage: Schema.NullOr(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  findings: Findings
}

export const TemplateAnswer = Schema.Struct(template).annotate({ identifier: "Template" })
export const NewTemplateAnswer = Schema.Struct(template).annotate({ identifier: "NewTemplate", httpApiStatus: 201 })

const fields = {
  purpose: optional(text({ enum: TemplatePurpose, default: "CODE" })),
  locale: optional(
    Schema.String.annotate({ description: "Absent: used for every language", examples: ["hi", "en-IN"] })
  ),
  dltTemplateId: optional(
    Schema.String.annotate({
      description: "SMS only: the DLT template id, 19 digits",
      examples: ["1107160000000000001"]
    })
  ),
  dltText: optional(
    Schema.String.annotate({
      description: "SMS only: the text registered at DLT. Messages are compared with it",
      examples: ["{#var#} is your {#var#} code."]
    })
  ),
  header: optional(Schema.String.annotate({ description: "SMS only: the sender id", examples: ["ACMEIN"] })),
  body: optional(
    Schema.String.annotate({
      description:
        "The text. Placeholders: `{{code}}` or `{{link}}`, and `{{brand}}`, `{{minutes}}`, `{{domain}}`, `{{appHash}}`",
      examples: ["{{code}} is your {{brand}} code."]
    })
  ),
  subject: optional(Schema.String.annotate({ description: "EMAIL only" })),
  html: optional(
    Schema.String.annotate({ description: "EMAIL only: the text as HTML. Placeholder values are escaped" })
  ),
  whatsappName: optional(
    Schema.String.annotate({
      description: "WHATSAPP only: the name of the approved template",
      examples: ["login_code"]
    })
  ),
  whatsappLanguage: optional(
    Schema.String.annotate({
      description: "WHATSAPP only: the template's language. Default: `locale`, or `en`",
      examples: ["en_US"]
    })
  )
}

const channel = ChannelField

export const NewTemplatePayload = Schema.Struct({
  name: Schema.String.annotate({ description: "Requests without a template use `default`", examples: ["default"] }),
  channel,
  ...fields
}).annotate({ identifier: "NewTemplateRequest" })

export const ChangeTemplatePayload = Schema.Struct({
  name: optional(Schema.String),
  channel: optional(channel),
  ...fields
}).annotate({ identifier: "ChangeTemplateRequest" })

const looked = {
  values: optional(
    Schema.Record(Schema.String, Schema.String).annotate({
      description: "Values by placeholder. Absent ones get sample values, which cannot verify anyone",
      examples: [{ code: "482913" }]
    })
  ),
  identity: optional(Schema.String.annotate({ description: "The recipient", examples: ["+919876543210"] }))
}

export const PreviewPayload = Schema.Struct({ name: optional(Schema.String), channel, ...fields, ...looked }).annotate({
  identifier: "PreviewRequest"
})
export const PreviewOfPayload = Schema.Struct(looked).annotate({ identifier: "PreviewOfRequest" })

export const PreviewAnswer = Schema.Struct({
  to: Schema.NullOr(Schema.String),
  text: Schema.NullOr(Schema.String.annotate({ description: "Null if only WhatsApp has the text" })),
  subject: Schema.NullOr(Schema.String),
  html: Schema.NullOr(Schema.String),
  encoding: Schema.NullOr(Schema.Literals(["GSM-7", "UCS-2"]).annotate({ description: "SMS only" })),
  units: Schema.NullOr(
    Schema.Int.annotate({ description: "SMS only: the length in septets, or in UTF-16 code units" })
  ),
  segments: Schema.NullOr(Schema.Int.annotate({ description: "SMS only: the number of billed segments" })),
  header: Schema.NullOr(Schema.String),
  dltTemplateId: Schema.NullOr(Schema.String),
  whatsapp: Schema.NullOr(JsonObject).annotate({
    description: "WHATSAPP only: `template` of the request to WhatsApp: name, language and components"
  }),
  findings: Findings
}).annotate({ identifier: "TemplatePreview" })

const senderId = {
  header: Schema.String.annotate({ examples: ["ACMEIN"] }),
  createdAt: Timestamp
}

export const SenderIdAnswer = Schema.Struct(senderId).annotate({ identifier: "SenderId" })
export const NewSenderIdAnswer = Schema.Struct(senderId).annotate({ identifier: "NewSenderId", httpApiStatus: 201 })
export const NewSenderIdPayload = Schema.Struct({
  header: Schema.String.annotate({ examples: ["ACMEIN"] })
}).annotate({ identifier: "NewSenderIdRequest" })

const id = { id: TemplateId }

/** The message texts of a merchant. */
export class TemplateApi extends HttpApiGroup.make("templates")
  .add(
    HttpApiEndpoint.get("list", "/templates", {
      query: { cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Limit) },
      success: listOf(TemplateAnswer),
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(describe("List templates", "Oldest first. There are at most 300.")),
    HttpApiEndpoint.post("create", "/templates", {
      payload: NewTemplatePayload,
      success: NewTemplateAnswer,
      error: answers.post
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Create a template",
          "The name must be unique for its channel, purpose and locale. A template that breaks a rule is `INVALID_TEMPLATE_CONFIG`; one that lacks a field is `INCOMPLETE_TEMPLATE_CONFIG`. Warnings are returned in `findings`."
        )
      ),
    HttpApiEndpoint.post("preview", "/templates/preview", {
      payload: PreviewPayload,
      success: PreviewAnswer,
      error: answers.post
    })
      .middleware(Viewer)
      .annotate(AnswerKept, false)
      .annotateMerge(describe("Preview an unsaved template", "Returns the exact message that would be sent.")),
    HttpApiEndpoint.get("get", "/templates/:id", {
      params: id,
      success: TemplateAnswer,
      error: answers.lookup
    })
      .middleware(Viewer)
      .annotateMerge(describe("Read a template", "Refreshes the approval status from WhatsApp at most once a minute.")),
    HttpApiEndpoint.patch("update", "/templates/:id", {
      params: id,
      payload: ChangeTemplatePayload,
      success: TemplateAnswer,
      error: [...answers.change, NotFound, Reused]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Change a template",
          "Send only the fields to change; null removes a value. The change takes effect within 5 seconds in every process. Verifications that have started keep their text."
        )
      ),
    HttpApiEndpoint.delete("delete", "/templates/:id", {
      params: id,
      success: HttpApiSchema.NoContent,
      error: answers.lookup
    }).middleware(Admin),
    HttpApiEndpoint.post("previewOf", "/templates/:id/preview", {
      params: id,
      payload: PreviewOfPayload,
      success: PreviewAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(Viewer)
      .annotateMerge(describe("Preview a template", "Returns the exact message that is sent.")),
    HttpApiEndpoint.post("submit", "/templates/:id/submit", {
      params: id,
      success: TemplateAnswer,
      error: [...answers.command, NotFound, ProviderFailed]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Submit a template to WhatsApp",
          "For a template that WhatsApp does not have yet. Approval takes from minutes to a day."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Templates",
      description: "The texts of messages, with previews and WhatsApp approvals."
    })
  ) {}

/** The merchant's sender ids for SMS, as registered with DLT. */
export class SenderIdApi extends HttpApiGroup.make("senderIds")
  .add(
    HttpApiEndpoint.get("list", "/sender-ids", {
      success: listOf(SenderIdAnswer),
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(describe("List sender ids", "Oldest first.")),
    HttpApiEndpoint.post("create", "/sender-ids", {
      payload: NewSenderIdPayload,
      success: NewSenderIdAnswer,
      error: answers.post
    })
      .middleware(Admin)
      .annotateMerge(
        describe("Register a sender id", "Once one is registered, initiate accepts only registered ids as `header`.")
      ),
    HttpApiEndpoint.delete("delete", "/sender-ids/:header", {
      params: { header: Schema.String },
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    }).middleware(Admin)
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Sender ids",
      description: "The DLT sender ids (headers) of SMS."
    })
  ) {}
