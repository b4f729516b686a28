import { TemplatePurpose } from "@countersign/core"
import { ChannelName, TemplateStatus } from "@countersign/core/channel"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { AnswerKept } from "../contract/AnswerKept.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound, ProviderFailed, Reused } from "../contract/ErrorEnvelope.ts"
import { ChannelField, JsonObject, Limit, listOf, optional, text, Timestamp } from "../contract/Field.ts"
import { Admin, Viewer } from "../contract/Security.ts"

const TemplateId = Schema.String.annotate({ examples: ["tpl_01kaj3v9c0q5w8xn2rz7t4m6hd"] })

const Findings = Schema.Array(
  Schema.Struct({
    severity: Schema.Literals(["error", "warning"]),
    field: Schema.String.annotate({ examples: ["body"] }),
    problem: Schema.String
  }).annotate({ identifier: "TemplateFinding" })
).annotate({ description: "What its author should know; an error keeps it from being saved" })

const template = {
  id: TemplateId,
  version: Schema.Int.annotate({
    description: "Of its words: one more with each change. What has begun goes on with the words it began with"
  }),
  name: Schema.String,
  channel: ChannelName,
  purpose: Schema.Literals(TemplatePurpose),
  locale: Schema.NullOr(Schema.String.annotate({ description: "Null for every language" })),
  status: Schema.NullOr(
    Schema.Literals(TemplateStatus).annotate({
      description: "WhatsApp only: how it stands there. Null where nobody has to approve it"
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
    Schema.String.annotate({ description: "Left out, it is used for every language", examples: ["hi", "en-IN"] })
  ),
  dltTemplateId: optional(
    Schema.String.annotate({
      description: "SMS: the 19 digits that DLT gave its text",
      examples: ["1107160000000000001"]
    })
  ),
  dltText: optional(
    Schema.String.annotate({
      description: "SMS: the text as it is registered for DLT. What is sent is compared with it",
      examples: ["{#var#} is your {#var#} code."]
    })
  ),
  header: optional(
    Schema.String.annotate({ description: "SMS: the sender id that it goes out from", examples: ["ACMEIN"] })
  ),
  body: optional(
    Schema.String.annotate({
      description: "With `{{code}}` or `{{link}}`, and `{{brand}}`, `{{minutes}}`, `{{domain}}`, `{{appHash}}`",
      examples: ["{{code}} is your {{brand}} code."]
    })
  ),
  subject: optional(Schema.String.annotate({ description: "EMAIL" })),
  html: optional(Schema.String.annotate({ description: "EMAIL: the same in HTML. Values are escaped" })),
  whatsappName: optional(
    Schema.String.annotate({ description: "WHATSAPP: the name of the approved template", examples: ["login_code"] })
  ),
  whatsappLanguage: optional(
    Schema.String.annotate({
      description: "WHATSAPP: its language, `en` unless `locale` is given",
      examples: ["en_US"]
    })
  )
}

const channel = ChannelField

export const NewTemplatePayload = Schema.Struct({
  name: Schema.String.annotate({ description: "`default` is used where a request names none", examples: ["default"] }),
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
      description: "By placeholder. A sample that verifies nobody stands for what is left out",
      examples: [{ code: "482913" }]
    })
  ),
  identity: optional(Schema.String.annotate({ description: "Whom it would go to", examples: ["+919876543210"] }))
}

export const PreviewPayload = Schema.Struct({ name: optional(Schema.String), channel, ...fields, ...looked }).annotate({
  identifier: "PreviewRequest"
})
export const PreviewOfPayload = Schema.Struct(looked).annotate({ identifier: "PreviewOfRequest" })

export const PreviewAnswer = Schema.Struct({
  to: Schema.NullOr(Schema.String),
  text: Schema.NullOr(Schema.String.annotate({ description: "Null where only WhatsApp has the words" })),
  subject: Schema.NullOr(Schema.String),
  html: Schema.NullOr(Schema.String),
  encoding: Schema.NullOr(Schema.Literals(["GSM-7", "UCS-2"]).annotate({ description: "SMS" })),
  units: Schema.NullOr(Schema.Int.annotate({ description: "SMS: septets, or UTF-16 code units" })),
  segments: Schema.NullOr(Schema.Int.annotate({ description: "SMS: how many are paid for" })),
  header: Schema.NullOr(Schema.String),
  dltTemplateId: Schema.NullOr(Schema.String),
  whatsapp: Schema.NullOr(JsonObject).annotate({
    description: "WHATSAPP: `template` of the request as it would go out: name, language and components"
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

/** Merchants' own texts, and the sender ids that they go out from. */
export class TemplateApi extends HttpApiGroup.make("templates")
  .add(
    HttpApiEndpoint.get("list", "/templates", {
      query: { cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Limit) },
      success: listOf(TemplateAnswer),
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(describe("List templates", "The oldest first. There are at most 300.")),
    HttpApiEndpoint.post("create", "/templates", {
      payload: NewTemplatePayload,
      success: NewTemplateAnswer,
      error: answers.post
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Write a template",
          "A name may be there once for each channel, purpose and locale. What breaks a rule is `INVALID_TEMPLATE_CONFIG`, what lacks something `INCOMPLETE_TEMPLATE_CONFIG`; warnings come back in `findings`."
        )
      ),
    HttpApiEndpoint.post("preview", "/templates/preview", {
      payload: PreviewPayload,
      success: PreviewAnswer,
      error: answers.post
    })
      .middleware(Viewer)
      .annotate(AnswerKept, false)
      .annotateMerge(describe("Look at a template before it is saved", "To the letter what would be sent.")),
    HttpApiEndpoint.get("get", "/templates/:id", {
      params: id,
      success: TemplateAnswer,
      error: answers.lookup
    })
      .middleware(Viewer)
      .annotateMerge(describe("One template", "WhatsApp is asked how it stands there, once a minute at most.")),
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
          "Send only what changes; null takes something away. Every process knows of it within 5 seconds. Verifications that have begun keep the words they began with."
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
      .annotateMerge(describe("Look at a template", "To the letter what is sent.")),
    HttpApiEndpoint.post("submit", "/templates/:id/submit", {
      params: id,
      success: TemplateAnswer,
      error: [...answers.command, NotFound, ProviderFailed]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Submit a template to WhatsApp",
          "For one that WhatsApp does not have. Its approval takes minutes to a day."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Templates",
      description: "The words of messages, and what a provider has to approve."
    })
  ) {}

/** The DLT headers that SMS go out from. */
export class SenderIdApi extends HttpApiGroup.make("senderIds")
  .add(
    HttpApiEndpoint.get("list", "/sender-ids", {
      success: listOf(SenderIdAnswer),
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(describe("List sender ids", "The oldest first.")),
    HttpApiEndpoint.post("create", "/sender-ids", {
      payload: NewSenderIdPayload,
      success: NewSenderIdAnswer,
      error: answers.post
    })
      .middleware(Admin)
      .annotateMerge(
        describe("Register a sender id", "From the first one on, an initiate may name no other `header` than these.")
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
      description: "The DLT headers that SMS go out from."
    })
  ) {}
