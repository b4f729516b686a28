import { namePattern } from "@countersign/core/channel"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { NotFound, ProviderFailed, Unpaid } from "../contract/ErrorEnvelope.ts"
import { JsonObject, optional, OrderId, text, Timestamp } from "../contract/Field.ts"
import { PublicKey, SessionToken } from "../contract/Security.ts"

const SessionId = Schema.String.annotate({ examples: ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd"] })
const DeviceToken = Schema.String.annotate({ description: "What an earlier answer gave this device to keep" })

export const SdkInitiatePayload = Schema.Struct({
  phone: Schema.String.annotate({ examples: ["+919876543210"] }),
  channel: optional(
    text({ pattern: "^[a-z][a-z0-9_]{1,31}$" }).annotate({
      description:
        "`auto`, `sms`, `whatsapp`, or another channel that your settings name as the first or the fallback, in lower case",
      examples: ["auto"]
    })
  ),
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

export const TruecallerPayload = Schema.Struct({
  sessionId: SessionId.annotate({ description: "The requestId of the login that your backend started" }),
  code: text({ minLength: 1, maxLength: 2048 }).annotate({ description: "Truecaller's authorizationCode" }),
  codeVerifier: text({ pattern: "^[A-Za-z0-9._~-]{43,128}$" }).annotate({
    description: "The PKCE verifier that the app made for this code"
  }),
  state: optional(Schema.String.annotate({ description: "What Truecaller handed back; it must be the sessionId" }))
}).annotate({ identifier: "SdkTruecallerRequest" })

export const VerifyNumberPayload = Schema.Struct({
  sessionId: SessionId.annotate({ description: "The requestId of the login that your backend started" }),
  proof: JsonObject.annotate({ description: "What the verifier's app gave yours, in the form of that verifier" }),
  state: optional(Schema.String.annotate({ description: "What the verifier handed back; it must be the sessionId" }))
}).annotate({ identifier: "SdkVerifyNumberRequest" })

const Verifier = text({ pattern: namePattern.source }).annotate({
  description: "The verifier that your backend asked for as `channel`",
  examples: ["TRUECALLER"]
})

export const SdkStatusQuery = Schema.Struct({ sessionId: SessionId })

export const SdkStatusAnswer = Schema.Struct({
  sessionId: SessionId,
  authStatus: Schema.Literals(["PENDING", "VERIFIED", "EXPIRED", "FAILED"]),
  expiresAt: Timestamp,
  matchNumber: Schema.optionalKey(
    Schema.String.annotate({ description: "The two digits to show to whoever approves a link", examples: ["47"] })
  )
}).annotate({ identifier: "SdkStatus" })

/** What apps call. They hold the public key and, to check a code, a session token that their backend made. */
export class SdkApi extends HttpApiGroup.make("sdk")
  .add(
    HttpApiEndpoint.post("initiate", "/auth/initiate", {
      payload: SdkInitiatePayload,
      success: SdkInitiateAnswer,
      error: [...answers.post, Unpaid, NotFound, ProviderFailed]
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
      ),
    HttpApiEndpoint.post("verifyNumber", "/auth/verify-number/:verifier", {
      params: { verifier: Verifier },
      payload: VerifyNumberPayload,
      success: SdkVerifyAnswer,
      error: [NotFound, ...answers.post, ProviderFailed]
    })
      .middleware(PublicKey)
      .annotateMerge(
        describe(
          "Verify a number without a message",
          "`verified` is false, for good, when the verifier names another number than the one your backend asked for. A proof that it does not take leaves the login open: start again in the app. TRUECALLER takes `code` and `codeVerifier`."
        )
      ),
    HttpApiEndpoint.post("truecaller", "/auth/truecaller", {
      payload: TruecallerPayload,
      success: SdkVerifyAnswer,
      error: [...answers.post, ProviderFailed]
    })
      .middleware(PublicKey)
      .annotateMerge(
        describe(
          "Prove a number with Truecaller",
          "As `POST /v1/sdk/auth/verify-number/TRUECALLER`, with the fields of the proof beside the others. `verified` is false, for good, when Truecaller names another number than the one your backend asked for. A code that Truecaller does not take leaves the login open: start again in the app."
        )
      ),
    HttpApiEndpoint.get("status", "/auth/status", {
      query: SdkStatusQuery.fields,
      success: SdkStatusAnswer,
      error: answers.search
    })
      .middleware(SessionToken)
      .annotateMerge(
        describe(
          "Wait for an approval",
          "How a login stands, for the app that waits for a link or for Truecaller. Reading it changes nothing; one that nobody approved in time is `EXPIRED` here."
        )
      )
  )
  .prefix("/v1/sdk")
  .annotateMerge(
    OpenApi.annotations({
      title: "SDK",
      description:
        "What an app or a page asks for itself, with its public key: a session, a code, a check, a sign-in without one."
    })
  ) {}
