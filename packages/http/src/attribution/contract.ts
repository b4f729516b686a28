import { Context, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { asCsv, CsvFile } from "../csv/contract.ts"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { JsonObject, listOf, number, optional, text, Timestamp } from "../contract/Field.ts"
import { LargestBody, Refusable } from "../contract/PublicLimits.ts"
import { PublicKey, Viewer } from "../contract/Security.ts"

/** Bodies are small. Refusals are counted separately, so that they never block an address's logins. */
const told = Context.make(LargestBody, 8 * 1024).pipe(Context.add(Refusable, { name: "attribution", places: 600 }))

const LaunchId = Schema.String.annotate({ examples: ["lch_01kaj3v9c0q5w8xn2rz7t4m6hd"] })
const OccurredAt = Timestamp.annotate({ description: "At most 30 days ago. Default: now" })
const word = (maxLength: number, description?: string) =>
  optional(description === undefined ? text({ maxLength }) : text({ maxLength }).annotate({ description }))

export const LaunchPayload = Schema.Struct({
  consent: optional(Schema.Boolean.annotate({ description: "Without `true`, nothing is stored" })),
  utm: optional(
    Schema.Struct({
      source: word(200),
      medium: word(200),
      campaign: word(200),
      term: word(200),
      content: word(200)
    })
  ),
  clickId: word(512, "The click id of the ad network"),
  installReferrer: word(2_000, "The install referrer of Google Play. Its values fill absent fields"),
  fingerprint: word(512, "Identifies a visitor. Only an HMAC of it is stored"),
  platform: word(40),
  occurredAt: optional(OccurredAt)
}).annotate({ identifier: "LaunchRequest" })

export const LaunchAnswer = Schema.Struct({
  recorded: Schema.Boolean,
  launchId: Schema.NullOr(LaunchId),
  launchToken: Schema.NullOr(Schema.String.annotate({ description: "Needed to withdraw the consent to this launch" }))
}).annotate({ identifier: "LaunchAnswer" })

export const ConversionPayload = Schema.Struct({
  event: text({ minLength: 1, maxLength: 100 }).annotate({ examples: ["order_paid"] }),
  value: optional(number({ minimum: 0, maximum: 1_000_000_000_000 })),
  currency: optional(text({ minLength: 3, maxLength: 3 }).annotate({ description: "ISO 4217", examples: ["INR"] })),
  launchId: optional(LaunchId),
  requestId: optional(Schema.String.annotate({ description: "A verification. The conversion counts for its launch" })),
  properties: optional(JsonObject.annotate({ description: "At most 4 KB of JSON" })),
  occurredAt: optional(OccurredAt)
}).annotate({ identifier: "ConversionRequest" })

export const ConversionAnswer = Schema.Struct({
  recorded: Schema.Literal(true),
  conversionId: Schema.String.annotate({ examples: ["cnv_01kaj3v9c0q5w8xn2rz7t4m6hd"] })
}).annotate({ identifier: "ConversionAnswer" })

export const AttributionQuery = Schema.Struct({
  from: Schema.optionalKey(
    Timestamp.annotate({ description: "Start of the range (inclusive). Default: 30 days before `to`" })
  ),
  to: Schema.optionalKey(Timestamp.annotate({ description: "End of the range (exclusive). Default: now" })),
  model: Schema.optionalKey(text({ enum: ["last", "first"] })),
  tz: Schema.optionalKey(
    Schema.String.annotate({ description: "The time zone that days are counted in", examples: ["Asia/Kolkata"] })
  ),
  cursor: Schema.optionalKey(Schema.String)
})

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const AttributionRow = Schema.Struct({
  day: Schema.String.annotate({ format: "date", examples: ["2026-01-31"] }),
  source: Schema.NullOr(Schema.String),
  medium: Schema.NullOr(Schema.String),
  campaign: Schema.NullOr(Schema.String),
  launches: Count,
  verifications: Count,
  conversions: Count,
  leads: Count,
  values: Schema.Array(Schema.Struct({ currency: Schema.NullOr(Schema.String), value: Schema.Finite }))
}).annotate({ identifier: "AttributionRow" })

export const AttributionAnswer = listOf(AttributionRow)

/** Where users came from. Apps record it with the public key; the merchant reads the sums. */
export class AttributionApi extends HttpApiGroup.make("attribution")
  .add(
    HttpApiEndpoint.post("launch", "/v1/sdk/attribution/launch", {
      payload: LaunchPayload,
      success: LaunchAnswer,
      error: answers.post
    })
      .middleware(PublicKey)
      .annotateMerge(told)
      .annotateMerge(
        describe(
          "Record a launch",
          "A user opened an app or a page and consented to recording it. Without consent the answer is `recorded: false` and nothing is stored."
        )
      ),
    HttpApiEndpoint.delete("withdraw", "/v1/sdk/attribution/launch/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: answers.lookup
    })
      .middleware(PublicKey)
      .annotateMerge(told)
      .annotateMerge(
        describe(
          "Withdraw the consent to a launch",
          "Send the launch's own token as `Authorization: Bearer {launchToken}`. Erases the launch and everything attributed to it. Repeating it has no effect."
        )
      ),
    HttpApiEndpoint.post("conversion", "/v1/sdk/attribution/conversion", {
      payload: ConversionPayload,
      success: ConversionAnswer,
      error: answers.post
    })
      .middleware(PublicKey)
      .annotateMerge(told)
      .annotateMerge(
        describe(
          "Record a conversion",
          "Counts for the launch in `launchId`, or else for the launch of the verification in `requestId`."
        )
      ),
    HttpApiEndpoint.get("report", "/v1/dashboard/attribution", {
      query: AttributionQuery,
      success: [AttributionAnswer, CsvFile],
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Sums by origin and day",
          `\`model\` selects the last touch (the launch that led to the result) or the first touch (the visitor's first launch). Default range: the last 30 days. ${asCsv}`
        )
      )
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Attribution",
      description: "Launches of an app or a page, the conversions they led to, and reports about both."
    })
  ) {}
