import { EventType, type Settings, SettingsFields } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { TooMany } from "../contract/ErrorEnvelope.ts"
import { coded, JsonObject, Limit, listOf, Timestamp } from "../contract/Field.ts"
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
    Schema.String.annotate({
      description: "The device's name, as the app reported it",
      examples: ["Pixel 8, Android 15"]
    })
  ),
  trustedAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp.annotate({ description: "When the trust ends, unless the device is used before" })
}).annotate({ identifier: "Device" })

/** The current settings, with warnings about settings that have no effect. */
export const SettingsAnswer = Schema.Struct({
  ...SettingsFields,
  warnings: Schema.Array(Schema.Struct({ field: Schema.String, problem: Schema.String, ...coded })).annotate({
    description: "Settings that are valid but do not work as expected. Ignored in a change"
  })
})

/** Any of the settings. Core validates them together. */
const SettingsChange = JsonObject as unknown as Schema.declare<Partial<Settings> & { readonly warnings?: unknown }>

/** The settings of one environment. */
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
        OpenApi.annotations({
          description: "Send only the fields to change. The change takes effect within 5 seconds in every process."
        })
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Settings",
      description: "The settings of one environment: codes, limits, channels, brand."
    })
  ) {}

/** The events of one environment. */
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
      description: "The events of one environment, in the format of webhooks."
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
          description: "The devices that OneTap trusts for this identity, most recently used first."
        })
      ),
    HttpApiEndpoint.delete("revoke", "/devices/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: answers.lookup
    })
      .middleware(Admin)
      .annotateMerge(OpenApi.annotations({ description: "The device's next login needs a code." }))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Devices",
      description: "The devices that OneTap accepts without a code."
    })
  ) {}
