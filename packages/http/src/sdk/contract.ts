import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { bodyOptional } from "../contract/BodyOptional.ts"
import { describe } from "../contract/describe.ts"
import { NotFound, ProviderFailed } from "../contract/ErrorEnvelope.ts"
import { optional, OrderId, text, Timestamp } from "../contract/Field.ts"
import { AuthKey, PublicKey, SessionToken } from "../contract/Security.ts"

const SessionId = Schema.String.annotate({ examples: ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd"] })
const DeviceToken = Schema.String.annotate({ description: "What an earlier answer gave this device to keep" })

export const SessionPayload = Schema.Struct({
  scope: optional(text({ enum: ["sdk"] }))
}).annotate({ identifier: "SdkSessionRequest" })

export const SessionAnswer = Schema.Struct({
  sessionToken: Schema.String,
  scope: Schema.Literal("sdk"),
  expiresIn: Schema.Int.annotate({ description: "Seconds", examples: [600] }),
  expiresAt: Timestamp
}).annotate({ identifier: "SdkSession" })

export const SdkInitiatePayload = Schema.Struct({
  phone: Schema.String.annotate({ examples: ["+919876543210"] }),
  channel: optional(text({ enum: ["auto", "sms", "whatsapp"] }).annotate({ examples: ["auto"] })),
  template: optional(Schema.String.annotate({ description: "Name of a template" })),
  orderId: optional(OrderId),
  sessionId: optional(SessionId.annotate({ description: "A live session, to send its code again" })),
  launchId: optional(Schema.String.annotate({ description: "The launch that led here, as it was answered" })),
  deviceToken: optional(DeviceToken),
  deviceInfo: optional(
    Schema.Struct({
      platform: optional(Schema.String),
      model: optional(Schema.String),
      osVersion: optional(Schema.String),
      appVersion: optional(Schema.String),
      locale: optional(Schema.String)
    })
  )
}).annotate({ identifier: "SdkInitiateRequest" })

export const SdkInitiateAnswer = Schema.Struct({
  sessionId: SessionId,
  channel: Schema.String.annotate({ description: "The channel in lower case", examples: ["sms"] }),
  codeLength: Schema.Int,
  expiresAt: Timestamp,
  oneTapApplied: Schema.Boolean,
  deviceToken: Schema.NullOr(DeviceToken)
}).annotate({ identifier: "SdkInitiateAnswer" })

export const SdkVerifyPayload = Schema.Struct({
  sessionId: SessionId,
  code: text({ minLength: 1, maxLength: 64 }).annotate({
    description: "The code as the person typed it",
    examples: ["482913"]
  }),
  deviceToken: optional(DeviceToken)
}).annotate({ identifier: "SdkVerifyRequest" })

export const SdkVerifyAnswer = Schema.Struct({ verified: Schema.Boolean, requestId: SessionId }).annotate({
  identifier: "SdkVerifyAnswer"
})

/** What apps call. They hold the public key and, to check a code, a session token that their backend made. */
export class SdkApi extends HttpApiGroup.make("sdk")
  .add(
    HttpApiEndpoint.post("session", "/session", {
      payload: SessionPayload,
      success: SessionAnswer,
      error: answers.post
    })
      .middleware(AuthKey)
      .annotateMerge(bodyOptional)
      .annotateMerge(describe("Make a session token", "For one of your apps, from your backend. It lives 10 minutes.")),
    HttpApiEndpoint.post("initiate", "/auth/initiate", {
      payload: SdkInitiatePayload,
      success: SdkInitiateAnswer,
      error: [...answers.post, NotFound, ProviderFailed]
    })
      .middleware(PublicKey)
      .annotateMerge(
        describe(
          "Send a code",
          "Every call starts a session of its own, unless it repeats an `Idempotency-Key` or names a live `sessionId`, whose code is then sent again."
        )
      ),
    HttpApiEndpoint.post("verify", "/auth/verify", {
      payload: SdkVerifyPayload,
      success: SdkVerifyAnswer,
      error: answers.post
    })
      .middleware(SessionToken)
      .annotateMerge(
        describe(
          "Check a code",
          "Hand `requestId` to your backend, which confirms it with `GET /v1/auth/status` before it signs anybody in."
        )
      )
  )
  .prefix("/v1/sdk")
  .annotateMerge(OpenApi.annotations({ title: "SDK" })) {}
