import { CampaignChannel, CampaignStatus, longestCsv } from "@countersign/core"
import { Context, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound, TooMany, Unpaid } from "../contract/ErrorEnvelope.ts"
import { Flag, Limit, listOf, optional, text, Timestamp, WholeNumber } from "../contract/Field.ts"
import { LargestBody } from "../contract/PublicLimits.ts"
import { Admin, AdminFresh, AdminFreshOrDry, Viewer } from "../contract/Security.ts"
import { StatusOf } from "../contract/StatusOf.ts"

const CampaignId = Schema.String.annotate({ examples: ["cmp_01kaj3v9c0q5w8xn2rz7t4m6hd"] })
const Count = (description: string) => Schema.Int.annotate({ description })
const Delivery = Schema.Literals(["PENDING", "SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"])

const campaign = {
  id: CampaignId,
  name: Schema.String,
  channel: Schema.Literals(CampaignChannel),
  template: Schema.String.annotate({ examples: ["tpl_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
  templateVersion: Count("Of its words, which stay as they were when the campaign was made"),
  status: Schema.Literals(CampaignStatus),
  pausedFor: Schema.NullOr(
    Schema.Literals(["PERSON", "MONEY", "CHANNEL"]).annotate({ description: "Why a PAUSED one waits" })
  ),
  problem: Schema.NullOr(Schema.String.annotate({ description: "What has to be done before it can go on" })),
  total: Count("Everybody it is for, without those who appear twice"),
  pending: Count("Not written to yet"),
  sent: Count("Handed over to the provider, whatever became of it later"),
  delivered: Count("Of these, those that arrived"),
  read: Count("Of these, those that were read"),
  failed: Count("Not to be delivered"),
  skipped: Count("Not written to: they want no campaigns, or it was cancelled before"),
  startAt: Timestamp,
  createdAt: Timestamp,
  finishedAt: Schema.NullOr(Timestamp)
}

export const CampaignAnswer = Schema.Struct(campaign).annotate({ identifier: "Campaign" })
export const NewCampaignAnswer = Schema.Struct(campaign).annotate({ identifier: "NewCampaign", httpApiStatus: 201 })

export const DryRunAnswer = Schema.Struct({
  total: Count("Everybody it would be for, without those who appear twice and lines that have to be mended"),
  duplicates: Count("Lines that name somebody whom an earlier line names: the earlier one counts"),
  invalid: Schema.Array(
    Schema.Struct({
      line: Schema.Int.annotate({ description: "1 for the first of the file", examples: [3] }),
      column: Schema.NullOr(Schema.String.annotate({ examples: ["phone"] })),
      problem: Schema.String.annotate({ examples: ["is empty"] })
    }).annotate({ identifier: "CsvProblem" })
  ).annotate({ description: "What has to be mended, the first hundred" }),
  invalidTotal: Schema.Int,
  unused: Schema.Array(Schema.String).annotate({ description: "Columns that the template has no place for" }),
  optedOut: Count("Of `total`, those who want no campaigns and would be skipped"),
  segments: Schema.NullOr(
    Schema.Struct({ total: Schema.Int, most: Schema.Int }).annotate({
      description: "SMS: how many all messages take, and the longest of them"
    })
  ),
  cost: Schema.NullOr(Count("Of all messages but those to `optedOut`; null where the channel has no price")),
  currency: Schema.String.annotate({ description: "ISO 4217: `cost` is in its smallest unit", examples: ["INR"] })
}).annotate({ identifier: "CampaignDryRun" })

export const NewCampaignPayload = Schema.Struct({
  name: Schema.String.annotate({ description: "For people, at most 100 characters", examples: ["Diwali"] }),
  channel: text({ enum: CampaignChannel }),
  template: Schema.String.annotate({
    description: "The id or the name of a template of purpose MESSAGE",
    examples: ["diwali"]
  }),
  csv: Schema.String.annotate({
    description:
      "A header line with a column `phone` and one for each place of the template, and a line for each recipient; at most 5 MB",
    examples: ["phone,first_name\n+919876543210,Asha\n"]
  }),
  startAt: optional(Timestamp.annotate({ description: "Within a year; at once, if it is left out" }))
}).annotate({ identifier: "NewCampaignRequest" })

export const RecipientAnswer = Schema.Struct({
  number: Schema.Int.annotate({ description: "Its place in the list: 1 for the first" }),
  phone: Schema.String.annotate({ description: "Masked for a VIEWER", examples: ["+919876543210"] }),
  values: Schema.Array(Schema.String).annotate({ description: "What fills the template's places, in its order" }),
  status: Delivery,
  problem: Schema.NullOr(Schema.String.annotate({ description: "Why it is FAILED or SKIPPED" })),
  carrier: Schema.NullOr(
    Schema.String.annotate({ description: "Which of the channel's carriers it went to", examples: ["twilio"] })
  ),
  providerId: Schema.NullOr(Schema.String),
  handedAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "CampaignRecipient" })

const id = { id: CampaignId }
/** Of its list: JSON writes a character of three bytes as six, and one of a byte as two at most, as lists have them. */
const largestBody = 3 * longestCsv + 64 * 1024
const lastNumber = 2_147_483_646

export const RecipientsQuery = {
  status: Schema.optionalKey(Delivery),
  cursor: Schema.optionalKey(WholeNumber({ minimum: 0, maximum: lastNumber })),
  limit: Schema.optionalKey(Limit)
}

const isDryRun = (answer: object) => "duplicates" in answer

/** One text to many people. */
export class CampaignApi extends HttpApiGroup.make("campaigns")
  .add(
    HttpApiEndpoint.get("list", "/campaigns", {
      query: {
        cursor: Schema.optionalKey(Schema.String),
        // The messages of each are counted.
        limit: Schema.optionalKey(WholeNumber({ minimum: 1, maximum: 50 }))
      },
      success: listOf(CampaignAnswer),
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(describe("List campaigns", "The newest first, at most 50 a page.")),
    HttpApiEndpoint.post("create", "/campaigns", {
      query: { dryRun: Schema.optionalKey(Flag) },
      payload: NewCampaignPayload,
      success: [NewCampaignAnswer, DryRunAnswer],
      error: [...answers.post, Unpaid, NotFound, TooMany]
    })
      .middleware(AdminFreshOrDry)
      .annotateMerge(
        Context.make(LargestBody, largestBody).pipe(Context.add(StatusOf, (answer) => (isDryRun(answer) ? 200 : 201)))
      )
      .annotateMerge(
        describe(
          "Start a campaign",
          "All of it is checked before anybody is written to. With `dryRun=true` nothing is made, and the answer is 200 with what it would come to: that needs no fresh sign-in."
        )
      ),
    HttpApiEndpoint.get("get", "/campaigns/:id", {
      params: id,
      success: CampaignAnswer,
      error: answers.lookup
    })
      .middleware(Viewer)
      .annotateMerge(describe("One campaign", "With what became of its messages so far.")),
    HttpApiEndpoint.get("recipients", "/campaigns/:id/recipients", {
      params: id,
      query: RecipientsQuery,
      success: listOf(RecipientAnswer),
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(describe("List a campaign's recipients", "In the order of its list, all or those in one state.")),
    HttpApiEndpoint.post("pause", "/campaigns/:id/pause", {
      params: id,
      success: CampaignAnswer,
      error: [...answers.command, NotFound]
    })
      .middleware(Admin)
      .annotateMerge(
        describe("Pause a campaign", "What is being handed over still is. Doing it again changes nothing.")
      ),
    HttpApiEndpoint.post("resume", "/campaigns/:id/resume", {
      params: id,
      success: CampaignAnswer,
      error: [...answers.command, NotFound]
    })
      .middleware(AdminFresh)
      .annotateMerge(describe("Let a paused campaign go on", "Doing it again changes nothing.")),
    HttpApiEndpoint.post("cancel", "/campaigns/:id/cancel", {
      params: id,
      success: CampaignAnswer,
      error: [...answers.command, NotFound]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Cancel a campaign",
          "For good. Whoever was not written to is SKIPPED. Doing it again changes nothing."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Campaigns",
      description: "One text to many people: a list, a beginning, pauses, and what became of each recipient."
    })
  ) {}
