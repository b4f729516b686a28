import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { text, Timestamp } from "../contract/Field.ts"
import { Viewer } from "../contract/Security.ts"

const range = {
  from: Schema.optionalKey(
    Timestamp.annotate({ description: "The beginning; that of the 30th local day before when it is absent" })
  ),
  to: Schema.optionalKey(Timestamp.annotate({ description: "The end, which is not in it; now when it is absent" })),
  tz: Schema.optionalKey(Schema.String.annotate({ description: "Whose days", examples: ["Asia/Kolkata"] })),
  groupBy: Schema.optionalKey(text({ enum: ["channel", "country", "path", "template", "carrier"] }))
}

export const StatQuery = Schema.Struct(range)

const Bucket = Schema.Literals(["15m", "1h", "1d"])
export const SeriesQuery = Schema.Struct({
  ...range,
  bucket: Schema.optionalKey(
    text({ enum: Bucket.literals }).annotate({ description: "`1d`, a day of `tz`, when it is absent" })
  )
})

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Group = Schema.NullOr(Schema.String).annotate({
  description: "Null without `groupBy`, and for what belongs to no group: an e-mail address has no country"
})
const Milliseconds = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Quantiles = Schema.NullOr(Schema.Struct({ p50: Milliseconds, p95: Milliseconds, p99: Milliseconds })).annotate({
  description: "In milliseconds; null where nothing was timed"
})

const SeriesItem = Schema.Struct({
  at: Timestamp.annotate({ description: "When it begins: a day at its local midnight" }),
  group: Group,
  asked: Count,
  sent: Count,
  delivered: Count,
  verified: Count,
  failed: Count,
  expired: Count,
  resent: Count,
  fallbacks: Count,
  oneTap: Count,
  refused: Count
}).annotate({ identifier: "SeriesItem" })

export const SeriesAnswer = Schema.Struct({ bucket: Bucket, items: Schema.Array(SeriesItem) }).annotate({
  identifier: "SeriesAnswer"
})

export const FunnelAnswer = Schema.Struct({
  items: Schema.Array(Schema.Struct({ group: Group, asked: Count, sent: Count, delivered: Count, verified: Count }))
}).annotate({ identifier: "FunnelAnswer" })

export const LatencyAnswer = Schema.Struct({
  items: Schema.Array(Schema.Struct({ group: Group, toSend: Quantiles, toDeliver: Quantiles, toVerify: Quantiles }))
}).annotate({ identifier: "LatencyAnswer" })

export const SpendAnswer = Schema.Struct({
  currency: Schema.String.annotate({ examples: ["INR"] }),
  items: Schema.Array(
    Schema.Struct({
      group: Group,
      sends: Count,
      amount: Schema.NullOr(Schema.Finite).annotate({
        description: "In the smallest unit of the currency; null where no prices are set, and nothing had one"
      }),
      costPerVerified: Schema.NullOr(Schema.Finite)
    })
  )
}).annotate({ identifier: "SpendAnswer" })

export const RefusalsAnswer = Schema.Struct({
  items: Schema.Array(Schema.Struct({ group: Group, reason: Schema.String, count: Count }))
}).annotate({ identifier: "StatRefusalsAnswer" })

/** What verifications came to, by the time in which they started. */
export class StatsApi extends HttpApiGroup.make("statistics")
  .add(
    HttpApiEndpoint.get("series", "/v1/dashboard/stats/series", {
      query: SeriesQuery,
      success: SeriesAnswer,
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Counts over time",
          "Everything about a verification counts in the quarter hour in which it started, whenever it happened. Without `groupBy` every point is there, with it those that have counts. Quarter hours and hours go back 35 days; what is older is counted by days of UTC."
        )
      ),
    HttpApiEndpoint.get("funnel", "/v1/dashboard/stats/funnel", {
      query: StatQuery,
      success: FunnelAnswer,
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        describe("From asked to verified", "`sent` and `delivered` are messages, of which one login may have several.")
      ),
    HttpApiEndpoint.get("latency", "/v1/dashboard/stats/latency", {
      query: StatQuery,
      success: LatencyAnswer,
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Time to send, to deliver and to verify",
          "From the start of a verification; `toSend` from the making of the message. Each figure is within 2 % of the true one."
        )
      ),
    HttpApiEndpoint.get("spend", "/v1/dashboard/stats/spend", {
      query: StatQuery,
      success: SpendAnswer,
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Cost, and cost of each success",
          "Messages that were sent and did not fail, each by its price when it was asked for."
        )
      ),
    HttpApiEndpoint.get("refusals", "/v1/dashboard/stats/refusals", {
      query: StatQuery,
      success: RefusalsAnswer,
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(describe("Refused initiates by reason", "Counted when they were refused."))
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Statistics",
      description:
        "How many were sent, delivered and verified, how fast, and at what price: by day, channel and country."
    })
  ) {}
