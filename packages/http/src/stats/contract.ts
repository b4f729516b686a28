import { ChannelName } from "@countersign/core/channel"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { text, Timestamp } from "../contract/Field.ts"
import { Viewer } from "../contract/Security.ts"

const range = {
  from: Schema.optionalKey(
    Timestamp.annotate({
      description: "Start of the range (inclusive). Default: the start of the 30th local day before `to`"
    })
  ),
  to: Schema.optionalKey(Timestamp.annotate({ description: "End of the range (exclusive). Default: now" })),
  tz: Schema.optionalKey(
    Schema.String.annotate({ description: "The time zone that days are counted in", examples: ["Asia/Kolkata"] })
  ),
  groupBy: Schema.optionalKey(text({ enum: ["channel", "country", "path", "template", "carrier"] }))
}

export const StatQuery = Schema.Struct(range)

const Bucket = Schema.Literals(["15m", "1h", "1d"])
export const SeriesQuery = Schema.Struct({
  ...range,
  bucket: Schema.optionalKey(text({ enum: Bucket.literals }).annotate({ description: "Default: `1d`, a day in `tz`" }))
})

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Group = Schema.NullOr(Schema.String).annotate({
  description: "Null without `groupBy`, and for data without a group: an e-mail address has no country"
})
const Milliseconds = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Quantiles = Schema.NullOr(Schema.Struct({ p50: Milliseconds, p95: Milliseconds, p99: Milliseconds })).annotate({
  description: "In milliseconds. Null if nothing was measured"
})

const SeriesItem = Schema.Struct({
  at: Timestamp.annotate({ description: "The start of the bucket. A day starts at local midnight" }),
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
  items: Schema.Array(
    Schema.Struct({
      group: Group,
      asked: Count,
      sent: Count,
      delivered: Count,
      verified: Count,
      relayed: Schema.Struct({ requested: Count, sent: Count, delivered: Count, failed: Count }).annotate({
        description: "Codes of another sign-in system. They are in no other count here"
      }),
      losses: Schema.Array(
        Schema.Struct({ code: Schema.String.annotate({ examples: ["NOT_DELIVERED"] }), count: Count })
      ).annotate({
        description: "Verifications that ended without success, by outcome. `NO_RECEIPT` includes `SENT_UNUSED`"
      })
    })
  )
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
        description: "In the smallest unit of the currency. Null if no prices are set and no message had one"
      }),
      costPerVerified: Schema.NullOr(Schema.Finite)
    })
  )
}).annotate({ identifier: "SpendAnswer" })

export const RefusalsAnswer = Schema.Struct({
  items: Schema.Array(Schema.Struct({ group: Group, reason: Schema.String, count: Count }))
}).annotate({ identifier: "StatRefusalsAnswer" })

const Share = Schema.Finite.annotate({ description: "From 0 to 1" })
const window = { from: Timestamp, to: Timestamp }
const paused = { channel: ChannelName, until: Schema.NullOr(Timestamp) }
const money = { balance: Schema.Int, currency: Schema.String }

const Attention = Schema.Union([
  Schema.Struct({ code: Schema.Literal("NO_CHANNEL") }),
  Schema.Struct({
    code: Schema.Literal("CHANNEL_OFF"),
    channel: ChannelName,
    role: Schema.Literals(["PRIMARY", "FALLBACK"])
  }),
  Schema.Struct({ code: Schema.Literal("CHANNEL_PAUSED"), ...paused }),
  Schema.Struct({ code: Schema.Literal("CARRIER_PAUSED"), carrier: Schema.String, ...paused }),
  Schema.Struct({ code: Schema.Literal("CHANNEL_LATE"), channel: ChannelName, count: Count, since: Timestamp }),
  Schema.Struct({ code: Schema.Literals(["NO_BALANCE", "BALANCE_LOW"]), ...money }),
  Schema.Struct({
    code: Schema.Literal("CAP_REACHED"),
    channel: ChannelName,
    cap: Schema.Int,
    currency: Schema.String
  }),
  Schema.Struct({
    code: Schema.Literal("WEBHOOK_OFF"),
    webhookId: Schema.String,
    url: Schema.String,
    reason: Schema.Literals(["GONE", "FAILING"])
  }),
  Schema.Struct({
    code: Schema.Literal("WEBHOOK_FAILING"),
    webhookId: Schema.String,
    url: Schema.String,
    since: Timestamp
  }),
  Schema.Struct({
    code: Schema.Literal("CUSTOMERS_WAITING"),
    count: Count,
    more: Schema.Boolean.annotate({ description: "Whether more than `count` wait" }),
    since: Timestamp
  }),
  Schema.Struct({
    code: Schema.Literal("KEY_RETIRING"),
    keyId: Schema.String,
    name: Schema.NullOr(Schema.String),
    until: Timestamp
  }),
  Schema.Struct({
    code: Schema.Literals(["CONVERSION_LOW", "DELIVERY_LOW"]),
    channel: ChannelName,
    country: Schema.NullOr(Schema.String),
    count: Count,
    share: Share,
    usual: Share,
    ...window
  }),
  Schema.Struct({
    code: Schema.Literal("STARTS_UNUSUAL"),
    country: Schema.String,
    count: Count,
    usual: Count.annotate({ description: "The highest count of the same hours in the last four weeks" }),
    share: Share,
    prefix: Schema.NullOr(
      Schema.String.annotate({ description: "The beginning of most of the numbers", examples: ["+9198765"] })
    ),
    ...window
  })
]).annotate({ identifier: "Attention" })

export const AttentionAnswer = Schema.Struct({ items: Schema.Array(Attention) }).annotate({
  identifier: "AttentionAnswer"
})

/** Statistics of verifications, by the time of their start. */
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
          "Everything about a verification counts in the quarter hour of its start. Without `groupBy` every bucket is returned; with it, only buckets with counts. Buckets of 15 minutes and 1 hour go back 35 days. Older data is counted by UTC day."
        )
      ),
    HttpApiEndpoint.get("funnel", "/v1/dashboard/stats/funnel", {
      query: StatQuery,
      success: FunnelAnswer,
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Funnel from request to verification",
          "`sent` and `delivered` count messages. A login may have several."
        )
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
          "Measured from the start of the verification; `toSend` from the creation of the message. Each value is accurate to 2 %."
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
          "Cost, and cost per verification",
          "Messages that were sent and did not fail, at their price at the time of the request."
        )
      ),
    HttpApiEndpoint.get("refusals", "/v1/dashboard/stats/refusals", {
      query: StatQuery,
      success: RefusalsAnswer,
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(describe("Refused requests by reason", "Refused initiates, counted at the time of the refusal.")),
    HttpApiEndpoint.get("attention", "/v1/dashboard/attention", {
      success: AttentionAnswer,
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "What needs attention",
          "Most urgent first; empty if nothing does. Paused channels and carriers, money, webhooks, waiting customers, keys about to retire, and conversion, delivery or starts that differ from the same hours of the last four weeks."
        )
      )
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Statistics",
      description: "Counts, delivery times and costs of verifications, by day, channel and country."
    })
  ) {}
