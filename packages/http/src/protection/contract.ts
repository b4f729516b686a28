import { guardReasons, tripReasons } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { NotFound } from "../contract/ErrorEnvelope.ts"
import { Timestamp } from "../contract/Field.ts"
import { AdminFresh, Viewer } from "../contract/Security.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const ProtectionQuery = {
  from: Schema.optionalKey(Timestamp.annotate({ description: "Start of the range. Default: 30 days before `to`" })),
  to: Schema.optionalKey(Timestamp.annotate({ description: "End of the range (exclusive). Default: now" })),
  tz: Schema.optionalKey(
    Schema.String.annotate({ description: "The time zone that days are counted in", examples: ["Asia/Kolkata"] })
  )
}

const Would = Schema.Struct({
  refused: Count.annotate({ description: "Codes that were sent, and that it would have refused" }),
  typed: Count.annotate({ description: "Of those, the codes that people entered" }),
  saved: Schema.NullOr(
    Count.annotate({
      description: "The cost of their messages, in the smallest unit. Null when none had a price",
      examples: [125_000]
    })
  )
})

export const ProtectionAnswer = Schema.Struct({
  currency: Schema.String.annotate({ examples: ["INR"] }),
  trips: Schema.Array(
    Schema.Struct({
      reason: Schema.Literals(tripReasons),
      place: Schema.String.annotate({
        description:
          "The digits that the numbers share, or an ISO 3166 country (digits where countries share a calling code)",
        examples: ["99891234"]
      }),
      since: Timestamp,
      until: Timestamp.annotate({ description: "When the guard judges the place by its evidence alone again" }),
      enforced: Schema.Boolean.annotate({ description: "Whether requests are refused. False: they are only counted" }),
      codes: Count.annotate({ description: "Codes of the day before that were not entered" }),
      typed: Count.annotate({ description: "Codes of the day before that were entered" }),
      cost: Schema.NullOr(
        Count.annotate({ description: "About what those codes cost, in the smallest unit. Null without a price" })
      ),
      met: Count.annotate({ description: "Requests since then that it refused, or would have refused" })
    })
  ).annotate({ description: "The places that the guard stopped, the latest first" }),
  would: Would.annotate({ description: "If every reason were enforced. A code with two reasons counts once" }),
  reasons: Schema.Array(
    Schema.Struct({
      reason: Schema.Literals(guardReasons),
      enforced: Schema.Boolean.annotate({ description: "Whether it refuses codes now" }),
      would: Would,
      refused: Count.annotate({ description: "Requests that it refused because it was enforced" })
    })
  )
}).annotate({ identifier: "Protection" })

const trip = { reason: Schema.Literals(tripReasons), place: Schema.String.check(Schema.isMaxLength(15)) }

const params = { reason: Schema.Literals(guardReasons) }

/** The guard against fraudulent code requests. */
export class ProtectionApi extends HttpApiGroup.make("protection")
  .add(
    HttpApiEndpoint.get("get", "/protection", {
      query: ProtectionQuery,
      success: ProtectionAnswer,
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "What the guard would save",
          "Each reason: what enforcing it would have refused and saved, and what it refused."
        )
      ),
    HttpApiEndpoint.post("enforce", "/protection/reasons/:reason/enforce", {
      params,
      success: HttpApiSchema.NoContent,
      error: [NotFound, ...answers.command]
    })
      .middleware(AdminFresh)
      .annotateMerge(
        describe(
          "Enforce a reason",
          "Codes are refused for this reason from now on, in every process within 5 seconds."
        )
      ),
    HttpApiEndpoint.post("undo", "/protection/reasons/:reason/undo", {
      params,
      success: HttpApiSchema.NoContent,
      error: [NotFound, ...answers.command]
    })
      .middleware(AdminFresh)
      .annotateMerge(describe("Stop enforcing a reason", "The guard only records this reason from now on.")),
    HttpApiEndpoint.post("letThrough", "/protection/trips/:reason/:place/let-through", {
      params: trip,
      payload: Schema.Struct({
        safe: Schema.optionalKey(
          Schema.Boolean.annotate({
            description: "Also adds the place to the setting `safeList`. A country cannot be added"
          })
        )
      }),
      success: HttpApiSchema.NoContent,
      error: [NotFound, ...answers.post]
    })
      .middleware(AdminFresh)
      .annotateMerge(
        describe(
          "Let a stopped place through",
          "The guard forgets what it counted there, in every process within seconds. A place that is not stopped stays as it is."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Protection",
      description: "The guard against fraudulent code requests: SMS pumping and toll fraud."
    })
  ) {}
