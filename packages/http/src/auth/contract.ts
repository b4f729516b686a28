import { lineMissing } from "@countersign/core"
import { knownChannels, lineFacts, namePattern } from "@countersign/core/channel"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { bodyOptional } from "../contract/BodyOptional.ts"
import { describe } from "../contract/describe.ts"
import { NotFound, ProviderFailed, TooMany, Unpaid } from "../contract/ErrorEnvelope.ts"
import { Carrier, JsonObject, number, optional, OrderId, text, Timestamp } from "../contract/Field.ts"
import { MethodDefaults } from "../contract/MethodDefaults.ts"
import { AuthKey } from "../contract/Security.ts"

const RequestId = Schema.String.annotate({ examples: ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd"] })
const IdentityType = Schema.Literals(["MOBILE", "EMAIL"])
const Tags = Schema.Record(Schema.String, Schema.String)

const DeviceInfo = JsonObject.annotate({ description: "Free-form details of the device, for audit; at most 4 KB" })

export const InitiatePayload = Schema.Struct({
  identity: Schema.String.annotate({ examples: ["+919876543210"] }),
  identityType: text({ enum: ["MOBILE", "EMAIL"] }).annotate({ examples: ["MOBILE"] }),
  mode: text({ enum: ["OTP", "OAUTH", "MAGIC_LINK"] }).annotate({ examples: ["OTP"] }),
  channel: optional(
    text({ pattern: namePattern.source }).annotate({
      description: `${knownChannels.join(", ")}, another channel of this server, or a number verifier such as TRUECALLER, which sends no message`,
      examples: ["SMS"]
    })
  ),
  orderId: optional(OrderId),
  requestId: optional(
    RequestId.annotate({
      description:
        "OAUTH and MAGIC_LINK: resends the link of this live login. A login without `state` and `codeChallenge` can be resent only this way"
    })
  ),
  otpLength: optional(number({ type: "integer", minimum: 4, maximum: 8 })),
  templateId: optional(
    text({ pattern: "^[0-9]{19}$" }).annotate({ description: "SMS only: the DLT template id, 19 digits" })
  ),
  header: optional(
    text({ pattern: "^[A-Za-z]{6}$" }).annotate({ description: "SMS only: the DLT sender id, 6 letters" })
  ),
  wabaId: optional(
    text({ pattern: "^[0-9]{1,32}$" }).annotate({ description: "WhatsApp only: the phone number id to send from" })
  ),
  redirectUri: optional(Schema.String),
  state: optional(text({ maxLength: 512 })),
  codeChallenge: optional(
    text({ pattern: "^[A-Za-z0-9_-]{43}$" }).annotate({
      description: "OAUTH and MAGIC_LINK: a PKCE challenge (S256). The exchange then requires its `codeVerifier`"
    })
  ),
  launchId: optional(
    Schema.String.annotate({ description: "The `launchId` of the launch that led to this verification" })
  ),
  deviceToken: optional(Schema.String),
  clientIp: optional(
    Schema.String.annotate({
      description: "The end user's IP address, for the setting `hourlyLimitPerAddress`. Stored, IPv6 as its /64",
      examples: ["203.0.113.7"]
    })
  ),
  userAgent: optional(
    text({ minLength: 1, maxLength: 512 }).annotate({ description: "The end user's browser or app. Stored" })
  ),
  deviceId: optional(
    text({ minLength: 1, maxLength: 128 }).annotate({ description: "Your own id of the end user's device. Stored" })
  ),
  tags: optional(
    Tags.annotate({
      description:
        "At most 10 labels of your own, each with a name and a value of 1 to 64 characters. Stored. The dashboard can search by one",
      examples: [{ plan: "trial" }]
    })
  ),
  deviceInfo: optional(DeviceInfo)
}).annotate({ identifier: "InitiateRequest" })

/** Absent unless number matching applies; never null. */
const MatchNumber = Schema.optionalKey(
  Schema.String.annotate({
    description: "With `linkNumberMatch`: show this number where the user waits. The link's page asks for it",
    examples: ["42"]
  })
)

export const InitiateAnswer = Schema.Struct({
  requestId: RequestId,
  message: Schema.String,
  oneTapApplied: Schema.Boolean,
  deviceToken: Schema.NullOr(Schema.String),
  matchNumber: MatchNumber,
  link: Schema.optionalKey(
    Schema.String.annotate({ description: "Test environments only: the link, because no message is sent" })
  )
}).annotate({ identifier: "InitiateAnswer" })

const LineQuestion = Schema.Struct({
  facts: Schema.Array(text({ enum: lineFacts })).annotate({
    description: "The facts to look up. Providers charge for each of them",
    examples: [["type", "simSwapped"]]
  }),
  simSwapHours: optional(
    number({ type: "integer", minimum: 1, maximum: 2400 }).annotate({
      description: "For `simSwapped`: the age in hours up to which a swap counts. Default: 240"
    })
  ),
  recycledSince: optional(
    text({ format: "date" }).annotate({
      description: "Required for `recycled`: a past date, since which a new owner of the number counts",
      examples: ["2025-01-31"]
    })
  )
}).annotate({ identifier: "LineQuestion" })

/** Has the requested facts only. */
const LineAnswer = Schema.Struct({
  type: Schema.optionalKey(
    Schema.NullOr(
      Schema.String.annotate({
        description: "`mobile`, `landline`, `fixedVoip`, `nonFixedVoip`, or another word of the provider",
        examples: ["mobile"]
      })
    )
  ),
  carrier: Schema.optionalKey(
    Schema.NullOr(Schema.String.annotate({ description: "The name of the operator", examples: ["Airtel"] }))
  ),
  simSwapped: Schema.optionalKey(
    Schema.NullOr(Schema.Boolean.annotate({ description: "Whether the number moved to another SIM in `simSwapHours`" }))
  ),
  simSwappedAt: Schema.optionalKey(Schema.NullOr(Timestamp.annotate({ description: "When it last did" }))),
  recycled: Schema.optionalKey(
    Schema.NullOr(
      Schema.Boolean.annotate({ description: "Whether the number has another owner since `recycledSince`" })
    )
  ),
  missing: Schema.NullOr(
    Schema.Literals(lineMissing).annotate({
      description:
        "Why a requested fact is null: no configured provider tells it (NO_PROVIDER), the provider did not answer in time (UNAVAILABLE), or it does not know (NOT_KNOWN)"
    })
  )
}).annotate({ identifier: "LineAnswer" })

export const VerifyPayload = Schema.Struct({
  requestId: optional(RequestId),
  orderId: optional(OrderId),
  otp: text({ minLength: 1, maxLength: 64 }).annotate({
    description: "The code as the user typed it",
    examples: ["482913"]
  }),
  deviceToken: optional(Schema.String),
  deviceInfo: optional(DeviceInfo),
  line: optional(
    LineQuestion.annotate({
      description:
        "Facts about the number's line to return with a right code. The answer waits up to 2 seconds for them"
    })
  )
}).annotate({ identifier: "VerifyRequest" })

export const VerifyAnswer = Schema.Struct({
  requestId: RequestId,
  verified: Schema.Boolean,
  message: Schema.String,
  idToken: Schema.NullOr(Schema.String),
  already: Schema.optionalKey(
    Schema.Literal(true).annotate({ description: "True when it was verified before this request; absent otherwise" })
  ),
  line: Schema.optionalKey(
    LineAnswer.annotate({
      description: "The requested facts about the line. Absent unless requested, or for a wrong code"
    })
  )
}).annotate({ identifier: "VerifyAnswer" })

export const LoginPayload = Schema.Struct({
  requestId: RequestId.annotate({ description: "The `requestId` that initiate returned for this login" }),
  otp: optional(
    text({ minLength: 1, maxLength: 64 }).annotate({
      description: "The code as the user typed it. Leave it out only when initiate returned `oneTapApplied: true`",
      examples: ["482913"]
    })
  ),
  deviceToken: optional(Schema.String.annotate({ description: "With OneTap on, this device becomes trusted" })),
  deviceInfo: optional(DeviceInfo)
}).annotate({ identifier: "LoginRequest" })

export const LoginAnswer = Schema.Struct({
  requestId: RequestId,
  identity: Schema.String.annotate({
    description:
      "The verified identity in one canonical spelling: a number with `+` and country code, or an e-mail address in lower case"
  }),
  identityType: IdentityType,
  countryCode: Schema.NullOr(Schema.String),
  nationalPhoneNumber: Schema.NullOr(Schema.String),
  orderId: Schema.NullOr(Schema.String),
  verifiedAt: Timestamp
}).annotate({ identifier: "Login" })

/** Names a verification by its id or by the merchant's own reference. The id wins. */
export const Reference = Schema.Struct({
  requestId: Schema.optionalKey(RequestId),
  orderId: Schema.optionalKey(Schema.String)
})

export const StatusAnswer = Schema.Struct({
  requestId: RequestId,
  identity: Schema.String,
  identityType: IdentityType,
  mode: Schema.Literals(["OTP", "OAUTH", "MAGIC_LINK"]),
  authStatus: Schema.Literals(["PENDING", "VERIFIED", "EXPIRED", "FAILED"]),
  verifiedAt: Schema.NullOr(Timestamp),
  orderId: Schema.NullOr(Schema.String),
  code: Schema.NullOr(
    Schema.String.annotate({
      description: "For an approved OAUTH or MAGIC_LINK: the authorisation code, valid for 60 seconds"
    })
  ),
  matchNumber: MatchNumber,
  deliveries: Schema.Array(
    Schema.Struct({
      channel: Schema.String,
      type: Schema.Literals(["OTP", "LINK"]),
      deliveryStatus: Schema.Literals(["PENDING", "SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"]),
      attemptNumber: Schema.Int,
      carrier: Carrier,
      providerCode: Schema.NullOr(Schema.String).annotate({
        description: "Why it failed: the provider's code or one of ours. Null unless FAILED"
      })
    })
  )
}).annotate({ identifier: "Verification" })

export const ConfirmPayload = Schema.Struct({
  requestId: optional(RequestId),
  idToken: optional(Schema.String)
}).annotate({ identifier: "ConfirmRequest" })

const Confirmed = Schema.Struct({
  success: Schema.Literal(true),
  phoneNumber: Schema.String.annotate({
    description: "The verified number or e-mail address, as sent to initiate. Sign in this identity only"
  }),
  countryCode: Schema.NullOr(Schema.String),
  nationalPhoneNumber: Schema.NullOr(Schema.String),
  identityType: IdentityType,
  authTime: Schema.Int.annotate({
    description: "When it was verified, in Unix seconds. Reject values older than a few minutes"
  }),
  requestId: RequestId
})

const NotConfirmed = Schema.Struct({
  success: Schema.Literal(false),
  phoneNumber: Schema.Null,
  countryCode: Schema.Null,
  nationalPhoneNumber: Schema.Null,
  identityType: Schema.Null,
  authTime: Schema.Null,
  requestId: RequestId
})

/** Who was verified. Do not sign in the user unless `success` is true. */
export const ConfirmAnswer = Schema.Union([Confirmed, NotConfirmed]).annotate({ identifier: "Confirmation" })

export const TokenPayload = Schema.Struct({
  code: Schema.String.annotate({ description: "The authorisation code from the redirect or from status" }),
  codeVerifier: optional(
    text({ pattern: "^[A-Za-z0-9._~-]{43,128}$" }).annotate({
      description: "The PKCE verifier. Required if initiate received a `codeChallenge`"
    })
  ),
  deviceToken: optional(
    Schema.String.annotate({
      description:
        "The token of the browser that requested the link. With OneTap on, it becomes trusted if the login had number matching and a `codeChallenge`. Ignored otherwise"
    })
  )
}).annotate({ identifier: "TokenRequest" })

export const TokenAnswer = Schema.Struct({
  requestId: RequestId,
  identity: Schema.String,
  identityType: IdentityType,
  idToken: Schema.String,
  deviceTrusted: Schema.Boolean.annotate({
    description:
      "Whether the device of `deviceToken` is now trusted. False without number matching or a `codeChallenge`"
  })
}).annotate({ identifier: "TokenAnswer" })

export const SessionPayload = Schema.Struct({
  scope: optional(text({ enum: ["sdk"] }))
}).annotate({ identifier: "SdkSessionRequest" })

export const SessionAnswer = Schema.Struct({
  sessionToken: Schema.String,
  scope: Schema.Literal("sdk"),
  expiresIn: Schema.Int.annotate({ description: "Seconds", examples: [600] }),
  expiresAt: Timestamp
}).annotate({ identifier: "SdkSession" })

/** Send a code, read the status, confirm who verified. */
export class AuthApi extends HttpApiGroup.make("auth", { topLevel: true })
  .add(
    HttpApiEndpoint.post("initiate", "/initiate", {
      payload: InitiatePayload,
      success: InitiateAnswer,
      error: [...answers.post, Unpaid, NotFound, TooMany, ProviderFailed]
    })
      .annotate(MethodDefaults, { mode: "OTP" })
      .annotateMerge(
        describe(
          "Send a code or a link",
          "Starts a verification, or resends a live one with the same `requestId`. A 200 means that the message is queued."
        )
      ),
    HttpApiEndpoint.post("verify", "/verify", {
      payload: VerifyPayload,
      success: VerifyAnswer,
      error: answers.post
    }).annotateMerge(
      describe(
        "Check a code",
        "A wrong code is a 200 with `verified: false`. Branch on `verified`, not on the HTTP status."
      )
    ),
    HttpApiEndpoint.post("login", "/login", {
      payload: LoginPayload,
      success: Schema.NullOr(LoginAnswer),
      error: answers.post
    }).annotateMerge(
      describe(
        "Sign a user in",
        "Checks a code and returns the verified identity, once per verification. Returns `null` for a wrong code and for a verification that was already used. Sign in the returned `identity` only."
      )
    ),
    HttpApiEndpoint.post("token", "/token", {
      payload: TokenPayload,
      success: TokenAnswer,
      error: answers.post
    }).annotateMerge(
      describe(
        "Exchange an authorisation code",
        "A code can be exchanged once, within 60 seconds of the approval. A repeat with the same `codeVerifier` gets the same answer. Sign in the returned `identity` only."
      )
    ),
    HttpApiEndpoint.get("status", "/status", {
      query: Reference.fields,
      success: StatusAnswer,
      error: answers.search
    }).annotateMerge(describe("Read a verification", "`requestId` wins if both are sent.")),
    HttpApiEndpoint.post("confirm", "/verify-code", {
      payload: ConfirmPayload,
      success: ConfirmAnswer,
      error: answers.post
    }).annotateMerge(
      describe(
        "Confirm who was verified",
        "Read-only: does not check a code. When `success` is false, do not sign the user in."
      )
    )
  )
  .prefix("/v1/auth")
  .add(
    HttpApiEndpoint.post("createSession", "/v1/sdk/session", {
      payload: SessionPayload,
      success: SessionAnswer,
      error: answers.post
    })
      .annotateMerge(bodyOptional)
      .annotateMerge(
        describe("Create a session token", "Your backend creates it for one of your apps. It is valid for 10 minutes.")
      )
  )
  .middleware(AuthKey)
  .annotateMerge(
    OpenApi.annotations({
      title: "Verification",
      description: "Send a code, check it, and learn who was verified."
    })
  ) {}
