import { Context, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { JsonObject, listOf, number, optional, text, Timestamp } from "../contract/Field.ts"
import { LargestBody, Refusable } from "../contract/PublicLimits.ts"
import { PublicKey, Viewer } from "../contract/Security.ts"

/** What apps tell of is small, and an address's refusals here cost nobody their login. */
const told = Context.make(LargestBody, 8 * 1024).pipe(Context.add(Refusable, { name: "attribution", places: 600 }))

const LaunchId = Schema.String.annotate({ examples: ["lch_01kaj3v9c0q5w8xn2rz7t4m6hd"] })
const OccurredAt = Timestamp.annotate({ description: "At most 30 days ago; now when it is absent" })
const word = (maxLength: number, description?: string) =>
  optional(description === undefined ? text({ maxLength }) : text({ maxLength }).annotate({ description }))

export const LaunchPayload = Schema.Struct({
  consent: optional(
    Schema.Boolean.annotate({ description: "Without `true` nothing at all is kept, whatever else is said" })
  ),
  utm: optional(
    Schema.Struct({
      source: word(200),
      medium: word(200),
      campaign: word(200),
      term: word(200),
      content: word(200)
    })
  ),
  clickId: word(512, "What an ad network calls the click"),
  installReferrer: word(2_000, "What Google Play passes on; what it says fills what is not said"),
  fingerprint: word(512, "What tells one visitor from another. It is kept as an HMAC alone"),
  platform: word(40),
  occurredAt: optional(OccurredAt)
}).annotate({ identifier: "LaunchRequest" })

export const LaunchAnswer = Schema.Struct({
  recorded: Schema.Boolean,
  launchId: Schema.NullOr(LaunchId),
  launchToken: Schema.NullOr(Schema.String.annotate({ description: "Withdraws the consent to this launch" }))
}).annotate({ identifier: "LaunchAnswer" })

export const ConversionPayload = Schema.Struct({
  event: text({ minLength: 1, maxLength: 100 }).annotate({ examples: ["order_paid"] }),
  value: optional(number({ minimum: 0, maximum: 1_000_000_000_000 })),
  currency: optional(text({ minLength: 3, maxLength: 3 }).annotate({ description: "ISO 4217", examples: ["INR"] })),
  launchId: optional(LaunchId),
  requestId: optional(Schema.String.annotate({ description: "A verification, whose launch led here" })),
  properties: optional(JsonObject.annotate({ description: "At most 4 KB of JSON" })),
  occurredAt: optional(OccurredAt)
}).annotate({ identifier: "ConversionRequest" })

export const ConversionAnswer = Schema.Struct({
  recorded: Schema.Literal(true),
  conversionId: Schema.String.annotate({ examples: ["cnv_01kaj3v9c0q5w8xn2rz7t4m6hd"] })
}).annotate({ identifier: "ConversionAnswer" })

export const AttributionQuery = Schema.Struct({
  from: Schema.optionalKey(Timestamp.annotate({ description: "The beginning; 30 days before when it is absent" })),
  to: Schema.optionalKey(Timestamp.annotate({ description: "The end, which is not in it; now when it is absent" })),
  model: Schema.optionalKey(text({ enum: ["last", "first"] })),
  tz: Schema.optionalKey(Schema.String.annotate({ description: "Whose days", examples: ["Asia/Kolkata"] })),
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

/** Where people came from. Apps tell of it with the public key; the merchant reads the sums. */
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
          "Somebody opened an app or a page, and agreed that it is recorded. Without consent the answer is `recorded: false`, and nothing is kept."
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
          "With the launch's own token: `Authorization: Bearer {launchToken}`. The launch is erased with all that it led to. Doing it again changes nothing."
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
          "Somebody did what you hoped for. It counts for the launch that it names, else for that of the verification that it names."
        )
      ),
    HttpApiEndpoint.get("report", "/v1/dashboard/attribution", {
      query: AttributionQuery,
      success: AttributionAnswer,
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Sums by origin and day",
          "By the last touch, the launch that led to something, or by the first, the first launch of the same visitor. Without a range: the last 30 days."
        )
      )
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Attribution",
      description: "What brought people in: launches of an app or a page, what they led to, and reports of both."
    })
  ) {}
