import { EventType, SettingsFields } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { JsonObject, Limit, listOf, optional, Timestamp } from "../contract/Field.ts"
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

export const UnlockPayload = Schema.Struct({
  identity: Schema.String.annotate({ examples: ["+919876543210"] }),
  identityType: optional(
    Schema.Literals(["MOBILE", "EMAIL"]).annotate({ description: "EMAIL where there is an @, if it is left out" })
  )
}).annotate({ identifier: "UnlockRequest" })

export const UnlockAnswer = Schema.Struct({
  unlocked: Schema.Boolean.annotate({ description: "False where no wrong code counted" })
}).annotate({ identifier: "Unlock" })

/** What a merchant arranges for one of its environments. */
export class DashboardApi extends HttpApiGroup.make("dashboard")
  .add(
    HttpApiEndpoint.get("settings", "/settings", { success: SettingsAnswer, error: answers.read }).middleware(Viewer),
    HttpApiEndpoint.patch("changeSettings", "/settings", {
      payload: JsonObject,
      success: SettingsAnswer,
      error: answers.change
    })
      .middleware(Admin)
      .annotateMerge(
        OpenApi.annotations({ description: "Send only what changes. Every process knows it within 5 seconds." })
      ),
    HttpApiEndpoint.get("events", "/events", {
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
      ),
    HttpApiEndpoint.get("devices", "/devices", {
      query: { identity: Schema.String },
      success: listOf(DeviceAnswer),
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        OpenApi.annotations({
          description: "The devices that OneTap lets in for this identity, the latest used first."
        })
      ),
    HttpApiEndpoint.post("unlock", "/unlock", {
      payload: UnlockPayload,
      success: UnlockAnswer,
      error: answers.post
    })
      .middleware(Admin)
      .annotateMerge(
        OpenApi.annotations({
          description:
            "Somebody whom `maxConsecutiveFailures` keeps out may ask for codes again. The hourly limit stays as it is."
        })
      ),
    HttpApiEndpoint.delete("revokeDevice", "/devices/:id", {
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
      title: "Dashboard",
      description:
        "Settings of an environment, its events, the devices that it trusts, and who is let in again after too many wrong codes."
    })
  ) {}
