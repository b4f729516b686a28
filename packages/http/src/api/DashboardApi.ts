import { EventType, Settings } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest, InternalError, TooLarge } from "./ErrorEnvelope.ts"
import { JsonObject, Timestamp } from "./Field.ts"
import { ServerKey } from "./Security.ts"

export const EventEnvelope = Schema.Struct({
  id: Schema.String,
  type: EventType,
  createdAt: Timestamp,
  environment: Schema.Literals(["live", "test"]),
  data: JsonObject
}).annotate({ identifier: "Event" })

/** What a merchant arranges for one of its environments. */
export class DashboardApi extends HttpApiGroup.make("dashboard")
  .add(
    HttpApiEndpoint.get("settings", "/settings", { success: Settings, error: [InternalError] }),
    HttpApiEndpoint.patch("changeSettings", "/settings", {
      payload: JsonObject,
      success: Settings,
      error: [BadRequest, TooLarge, InternalError]
    }).annotateMerge(
      OpenApi.annotations({ description: "Send only what changes. Every process knows it within 5 seconds." })
    ),
    HttpApiEndpoint.get("events", "/events", {
      query: {
        type: Schema.optionalKey(EventType),
        cursor: Schema.optionalKey(Schema.String),
        limit: Schema.optionalKey(
          Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 200 }))
        )
      },
      success: Schema.Struct({ items: Schema.Array(EventEnvelope), nextCursor: Schema.NullOr(Schema.String) }),
      error: [BadRequest, InternalError]
    }).annotateMerge(
      OpenApi.annotations({ description: "Newest first. Pass `nextCursor` as `cursor` for the next page." })
    )
  )
  .prefix("/v1/dashboard")
  .middleware(ServerKey)
  .annotateMerge(OpenApi.annotations({ title: "Dashboard" })) {}
