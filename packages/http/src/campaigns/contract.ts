import { CampaignChannel, CampaignStatus, longestCsv, mostProblems } from "@countersign/core"
import { Context, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { asCsv, CsvFile } from "../csv/contract.ts"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound, TooMany, Unpaid } from "../contract/ErrorEnvelope.ts"
import { coded, Flag, Limit, listOf, optional, text, Timestamp, WholeNumber } from "../contract/Field.ts"
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
  templateVersion: Count("The version of the template. Later changes to the template do not affect the campaign"),
  status: Schema.Literals(CampaignStatus),
  pausedFor: Schema.NullOr(
    Schema.Literals(["PERSON", "MONEY", "CHANNEL"]).annotate({ description: "Why the campaign is PAUSED" })
  ),
  problem: Schema.NullOr(Schema.String.annotate({ description: "What to fix before the campaign can be resumed" })),
  total: Count("All recipients, without duplicates"),
  skippedLines: Count("Invalid lines of the list that were left out with `skipInvalid`"),
  pending: Count("Recipients not sent to yet"),
  sent: Count("Messages sent to the provider, with any later status"),
  delivered: Count("Sent messages that were delivered"),
  read: Count("Sent messages that were read"),
  failed: Count("Messages that could not be delivered"),
  skipped: Count("Recipients who opted out, or whom the campaign had not reached when it was cancelled"),
  startAt: Timestamp,
  createdAt: Timestamp,
  finishedAt: Schema.NullOr(Timestamp)
}

export const CampaignAnswer = Schema.Struct(campaign).annotate({ identifier: "Campaign" })
export const NewCampaignAnswer = Schema.Struct(campaign).annotate({ identifier: "NewCampaign", httpApiStatus: 201 })

export const DryRunAnswer = Schema.Struct({
  total: Count("All recipients, without duplicates and invalid lines"),
  duplicates: Count("Lines with the recipient of an earlier line. The earlier line counts"),
  invalid: Schema.Array(
    Schema.Struct({
      line: Schema.Int.annotate({ description: "The line in the file, counted from 1", examples: [3] }),
      column: Schema.NullOr(Schema.String.annotate({ examples: ["phone"] })),
      problem: Schema.String.annotate({ examples: ["is empty"] }),
      ...coded
    }).annotate({ identifier: "CsvProblem" })
  ).annotate({ description: "The first 100 problems to fix, or as many as `problems` asks for" }),
  invalidTotal: Schema.Int,
  invalidLines: Count("Lines with a problem. `skipInvalid` leaves them out"),
  skippable: Schema.Boolean.annotate({
    description:
      "Whether the list can be sent without its invalid lines. False when a problem concerns the file or its header"
  }),
  unused: Schema.Array(Schema.String).annotate({ description: "Columns that the template does not use" }),
  optedOut: Count("Recipients in `total` who opted out and would be skipped"),
  segments: Schema.NullOr(
    Schema.Struct({ total: Schema.Int, most: Schema.Int }).annotate({
      description: "SMS only: the segments of all messages, and of the longest message"
    })
  ),
  cost: Schema.NullOr(Count("The cost of all messages except those to `optedOut`. Null when the channel has no price")),
  currency: Schema.String.annotate({ description: "ISO 4217. `cost` is in its smallest unit", examples: ["INR"] })
}).annotate({ identifier: "CampaignDryRun" })

export const NewCampaignPayload = Schema.Struct({
  name: Schema.String.annotate({
    description: "A name to recognise the campaign by, at most 100 characters",
    examples: ["Diwali"]
  }),
  channel: text({ enum: CampaignChannel }),
  template: Schema.String.annotate({
    description: "The id or name of a template with the purpose MESSAGE",
    examples: ["diwali"]
  }),
  csv: Schema.String.annotate({
    description:
      "A header line with a column `phone` and one column per placeholder of the template, then one line per recipient. At most 5 MB",
    examples: ["phone,first_name\n+919876543210,Asha\n"]
  }),
  startAt: optional(Timestamp.annotate({ description: "Within a year. Default: immediately" })),
  skipInvalid: optional(
    Schema.Boolean.annotate({
      description:
        "Leave out invalid lines of the list. Their numbers get no message, even when a later line repeats them. Default: a list with an invalid line is refused"
    })
  )
}).annotate({ identifier: "NewCampaignRequest" })

export const RecipientAnswer = Schema.Struct({
  number: Schema.Int.annotate({
    description: "The line of the list on which the recipient stands, from 1. The header is a line too"
  }),
  phone: Schema.String.annotate({ description: "Masked for a VIEWER", examples: ["+919876543210"] }),
  values: Schema.Array(Schema.String).annotate({ description: "The values of the template's placeholders, in order" }),
  status: Delivery,
  problem: Schema.NullOr(Schema.String.annotate({ description: "Why the message FAILED or was SKIPPED" })),
  carrier: Schema.NullOr(
    Schema.String.annotate({ description: "The carrier that sent the message", examples: ["twilio"] })
  ),
  providerId: Schema.NullOr(Schema.String),
  handedAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "CampaignRecipient" })

const id = { id: CampaignId }
/** JSON may double a list's size: a character of three bytes becomes six (`\uXXXX`), and one of one byte at most two. */
const largestBody = 3 * longestCsv + 64 * 1024
const lastNumber = 2_147_483_646

export const RecipientsQuery = {
  status: Schema.optionalKey(Delivery),
  cursor: Schema.optionalKey(WholeNumber({ minimum: 0, maximum: lastNumber })),
  limit: Schema.optionalKey(Limit)
}

const isDryRun = (answer: object) => "duplicates" in answer

/** Sends one text to many people. */
export class CampaignApi extends HttpApiGroup.make("campaigns")
  .add(
    HttpApiEndpoint.get("list", "/campaigns", {
      query: {
        cursor: Schema.optionalKey(Schema.String),
        // A smaller page, because the messages of each campaign are counted.
        limit: Schema.optionalKey(WholeNumber({ minimum: 1, maximum: 50 }))
      },
      success: listOf(CampaignAnswer),
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(describe("List campaigns", "Newest first, at most 50 per page.")),
    HttpApiEndpoint.post("create", "/campaigns", {
      query: {
        dryRun: Schema.optionalKey(Flag),
        problems: Schema.optionalKey(WholeNumber({ minimum: 0, maximum: mostProblems }))
      },
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
          "The whole list is checked before the first message is sent. With `dryRun=true` nothing is created, and the answer is a 200 with recipients, problems and cost. A dry run needs no recent sign-in and lists up to `problems` problems."
        )
      ),
    HttpApiEndpoint.get("get", "/campaigns/:id", {
      params: id,
      success: CampaignAnswer,
      error: answers.lookup
    })
      .middleware(Viewer)
      .annotateMerge(describe("Read a campaign", "Includes the status of its messages so far.")),
    HttpApiEndpoint.get("recipients", "/campaigns/:id/recipients", {
      params: id,
      query: RecipientsQuery,
      success: [listOf(RecipientAnswer), CsvFile],
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe("List a campaign's recipients", `In the order of the list. \`status\` filters them. ${asCsv}`)
      ),
    HttpApiEndpoint.post("pause", "/campaigns/:id/pause", {
      params: id,
      success: CampaignAnswer,
      error: [...answers.command, NotFound]
    })
      .middleware(Admin)
      .annotateMerge(
        describe("Pause a campaign", "Messages that are being sent still go out. Repeating it has no effect.")
      ),
    HttpApiEndpoint.post("resume", "/campaigns/:id/resume", {
      params: id,
      success: CampaignAnswer,
      error: [...answers.command, NotFound]
    })
      .middleware(AdminFresh)
      .annotateMerge(describe("Resume a campaign", "Repeating it has no effect.")),
    HttpApiEndpoint.post("cancel", "/campaigns/:id/cancel", {
      params: id,
      success: CampaignAnswer,
      error: [...answers.command, NotFound]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Cancel a campaign",
          "Cannot be undone. Recipients not sent to yet become SKIPPED. Repeating it has no effect."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Campaigns",
      description: "Send one text to many people: start, pause, resume, cancel, and follow each recipient."
    })
  ) {}
