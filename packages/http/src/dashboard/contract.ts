import { EventType, type Settings, SettingsFields } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { TooMany } from "../contract/ErrorEnvelope.ts"
import { JsonObject, Limit, listOf, Timestamp } from "../contract/Field.ts"
import { Admin, Viewer } from "../contract/Security.ts"

export const EventEnvelope = Schema.Struct({
  id: Schema.String,
  type: EventType,
  createdAt: Timestamp,
  environment: Schema.Literals(["live", "test"]),
  data: JsonObject
}).annotate({ identifier: "Event" })

export const DeviceAnswer = Schema.Struct({
  id: Schema.String,
  label: Schema.NullOr(
    Schema.String.annotate({ description: "What the app said it is", examples: ["Pixel 8, Android 15"] })
  ),
  trustedAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp.annotate({ description: "When its trust ends if it is not used before" })
}).annotate({ identifier: "Device" })

/** Settings as they are, with what of them does not do what it looks like. */
export const SettingsAnswer = Schema.Struct({
  ...SettingsFields,
  warnings: Schema.Array(Schema.Struct({ field: Schema.String, problem: Schema.String })).annotate({
    description: "What is allowed, and does not do what it looks like. A change may carry them: they are passed over"
  })
})

/** Any of the settings. Each is checked with the others, by core. */
const SettingsChange = JsonObject as unknown as Schema.declare<Partial<Settings> & { readonly warnings?: unknown }>

/** How one environment behaves. */
export class SettingsApi extends HttpApiGroup.make("settings")
  .add(
    HttpApiEndpoint.get("get", "/settings", { success: SettingsAnswer, error: answers.read }).middleware(Viewer),
    HttpApiEndpoint.patch("update", "/settings", {
      payload: SettingsChange,
      success: SettingsAnswer,
      error: answers.change
    })
      .middleware(Admin)
      .annotateMerge(
        OpenApi.annotations({ description: "Send only what changes. Every process knows it within 5 seconds." })
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Settings",
      description: "How one environment behaves: codes, limits, channels, brand."
    })
  ) {}

/** What happened in one environment. */
export class EventsApi extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/events", {
      query: {
        type: Schema.optionalKey(EventType),
        cursor: Schema.optionalKey(Schema.String),
        limit: Schema.optionalKey(Limit)
      },
      success: listOf(EventEnvelope),
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        OpenApi.annotations({ description: "Newest first. Pass `nextCursor` as `cursor` for the next page." })
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Events",
      description: "Everything that happened in one environment, as webhooks carry it."
    })
  ) {}

/** The devices that OneTap trusts. */
export class DevicesApi extends HttpApiGroup.make("devices")
  .add(
    HttpApiEndpoint.get("list", "/devices", {
      query: { identity: Schema.String },
      success: listOf(DeviceAnswer),
      error: [...answers.search, TooMany]
    })
      .middleware(Viewer)
      .annotateMerge(
        OpenApi.annotations({
          description: "The devices that OneTap lets in for this identity, the latest used first."
        })
      ),
    HttpApiEndpoint.delete("revoke", "/devices/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: answers.lookup
    })
      .middleware(Admin)
      .annotateMerge(OpenApi.annotations({ description: "Its next login needs a code." }))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Devices",
      description: "The devices that OneTap lets in without a code."
    })
  ) {}
