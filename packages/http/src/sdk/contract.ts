import { namePattern } from "@countersign/core/channel"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { NotFound, ProviderFailed, Unpaid } from "../contract/ErrorEnvelope.ts"
import { JsonObject, optional, OrderId, text, Timestamp } from "../contract/Field.ts"
import { PublicKey, SessionToken } from "../contract/Security.ts"

const SessionId = Schema.String.annotate({ examples: ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd"] })
const DeviceToken = Schema.String.annotate({
  description: "The device token that an earlier answer returned for this device"
})

export const SdkInitiatePayload = Schema.Struct({
  phone: Schema.String.annotate({ examples: ["+919876543210"] }),
  channel: optional(
    text({ pattern: "^[a-z][a-z0-9_]{1,31}$" }).annotate({
      description: "`auto`, `sms`, `whatsapp`, or the primary or fallback channel of your settings, in lower case",
      examples: ["auto"]
    })
  ),
  template: optional(Schema.String.annotate({ description: "The name of a template" })),
  orderId: optional(OrderId),
  sessionId: optional(SessionId.annotate({ description: "A live session. Its code is resent" })),
  launchId: optional(
    Schema.String.annotate({ description: "The `launchId` of the launch that led to this verification" })
  ),
  deviceToken: optional(DeviceToken),
  challenge: optional(
    Schema.Struct({
      token: text({ maxLength: 128 }).annotate({ description: "The `challenge.token` of the refusal" }),
      answer: text({ minLength: 1, maxLength: 8192 }).annotate({
        description:
          "For PROOF_OF_WORK: 1 to 15 letters or digits, so that the first 32 bits of the SHA-256 of token and answer, times `difficulty`, are below 2^32. For CAPTCHA: the token of the captcha's widget",
        examples: ["00013989"]
      })
    }).annotate({ description: "Solves the challenge of a refusal, in a repeat of the refused request" })
  ),
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
    description: "The code as the user typed it",
    examples: ["482913"]
  }),
  deviceToken: optional(DeviceToken)
}).annotate({ identifier: "SdkVerifyRequest" })

export const SdkVerifyAnswer = Schema.Struct({ verified: Schema.Boolean, requestId: SessionId }).annotate({
  identifier: "SdkVerifyAnswer"
})

export const TruecallerPayload = Schema.Struct({
  sessionId: SessionId.annotate({ description: "The `requestId` of the login that your backend started" }),
  code: text({ minLength: 1, maxLength: 2048 }).annotate({ description: "Truecaller's `authorizationCode`" }),
  codeVerifier: text({ pattern: "^[A-Za-z0-9._~-]{43,128}$" }).annotate({
    description: "The PKCE verifier that the app created for this code"
  }),
  state: optional(
    Schema.String.annotate({ description: "The `state` that Truecaller returned. Must equal the `sessionId`" })
  )
}).annotate({ identifier: "SdkTruecallerRequest" })

export const VerifyNumberPayload = Schema.Struct({
  sessionId: SessionId.annotate({ description: "The `requestId` of the login that your backend started" }),
  proof: JsonObject.annotate({ description: "The proof from the verifier's app, in that verifier's format" }),
  state: optional(
    Schema.String.annotate({ description: "The `state` that the verifier returned. Must equal the `sessionId`" })
  ),
  start: optional(
    Schema.String.annotate({ description: "What the start of this login returned, for a verifier that has one" })
  )
}).annotate({ identifier: "SdkVerifyNumberRequest" })

export const StartNumberPayload = Schema.Struct({
  sessionId: SessionId.annotate({ description: "The `requestId` of the login that your backend started" })
}).annotate({ identifier: "SdkStartNumberRequest" })

export const StartNumberAnswer = Schema.Struct({
  url: Schema.NullOr(
    Schema.String.annotate({
      description:
        "The address to open over mobile data. Null in a test environment: the proof's `answer` is the number, as digits with the country code",
      examples: ["https://mi.example.com/v1/check?sid=1"]
    })
  ),
  start: Schema.String.annotate({ description: "Send it back with the proof. It works for this login only" })
}).annotate({ identifier: "SdkStartNumberAnswer" })

const Verifier = text({ pattern: namePattern.source }).annotate({
  description: "The verifier that your backend named as `channel`",
  examples: ["TRUECALLER"]
})

export const SdkStatusQuery = Schema.Struct({ sessionId: SessionId })

export const SdkStatusAnswer = Schema.Struct({
  sessionId: SessionId,
  authStatus: Schema.Literals(["PENDING", "VERIFIED", "EXPIRED", "FAILED"]),
  expiresAt: Timestamp,
  matchNumber: Schema.optionalKey(
    Schema.String.annotate({
      description: "The two digits to show to the user who approves the link",
      examples: ["47"]
    })
  )
}).annotate({ identifier: "SdkStatus" })

/** The endpoints for apps. They use the public key, and a session token from their backend to check a code. */
export class SdkApi extends HttpApiGroup.make("sdk")
  .add(
    HttpApiEndpoint.post("initiate", "/auth/initiate", {
      payload: SdkInitiatePayload,
      success: SdkInitiateAnswer,
      error: [...answers.challenged, Unpaid, NotFound, ProviderFailed]
    })
      .middleware(PublicKey)
      .annotateMerge(
        describe(
          "Send a code",
          "Every call starts a new session, unless it repeats an `Idempotency-Key` or names a live `sessionId`, whose code is then resent."
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
          "Pass `requestId` to your backend, which must confirm it with `GET /v1/auth/status` before it signs in the user."
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
          "`verified` is permanently false when the verifier returns another number than the one your backend requested. A rejected proof leaves the login open: start again in the app. For TRUECALLER the proof is `code` and `codeVerifier`; for FIREBASE it is `token`; for a verifier with a start it is `answer`, together with `start`."
        )
      ),
    HttpApiEndpoint.post("startNumber", "/auth/verify-number/:verifier/start", {
      params: { verifier: Verifier },
      payload: StartNumberPayload,
      success: StartNumberAnswer,
      error: [NotFound, ...answers.post, ProviderFailed]
    })
      .middleware(PublicKey)
      .annotateMerge(
        describe(
          "Start a verification over mobile data",
          "For verifiers that need a start, such as TWILIO_SNA and CAMARA. The app opens `url` over mobile data, and posts what it answered as `answer` of the proof, together with `start`. `NETWORK_NOT_SUPPORTED` means: verify with a code."
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
          "Verify a number with Truecaller",
          "Same as `POST /v1/sdk/auth/verify-number/TRUECALLER`, with the fields of the proof at the top level. `verified` is permanently false when Truecaller returns another number than the one your backend requested. A rejected code leaves the login open: start again in the app."
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
          "Returns the status of a login, for an app that waits for a link or for Truecaller. Read-only. A login that was not approved in time is `EXPIRED`."
        )
      )
  )
  .prefix("/v1/sdk")
  .annotateMerge(
    OpenApi.annotations({
      title: "SDK",
      description:
        "Endpoints for apps and pages with a public key: send a code, check it, or verify a number without a code."
    })
  ) {}
