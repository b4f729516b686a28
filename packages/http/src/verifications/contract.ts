import { TimelineKind, Verification } from "@countersign/core"
import { ChannelName } from "@countersign/core/channel"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AnswerKept } from "../contract/AnswerKept.ts"
import * as answers from "../contract/answers.ts"
import { BodyHoldsPlace } from "../contract/PublicLimits.ts"
import { describe } from "../contract/describe.ts"
import { UnlockAnswer } from "../erasure/contract.ts"
import { BadRequest, NotFound, TooMany } from "../contract/ErrorEnvelope.ts"
import { Carrier, ChannelField, JsonObject, Limit, listOf, text, Timestamp } from "../contract/Field.ts"
import { Admin, AdminFresh, Viewer } from "../contract/Security.ts"

const RequestId = Schema.String.annotate({ examples: ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd"] })
const Masked = Schema.String.annotate({ description: "Masked", examples: ["+91******3210"] })
const Country = Schema.String.annotate({ description: "Two letters", examples: ["IN"] })

export const VerificationAnswer = Schema.Struct({
  requestId: RequestId,
  identity: Masked,
  identityType: Schema.Literals(["MOBILE", "EMAIL"]),
  mode: Schema.Literals(Verification.Mode),
  channel: ChannelName.annotate({ description: "The one that was asked for last" }),
  path: Schema.Literals(["SERVER", "SDK"]).annotate({
    description: "Who asked: the merchant's backend, or an app with the public key"
  }),
  orderId: Schema.NullOr(Schema.String),
  trial: Schema.Boolean.annotate({ description: 'Started with "Try it" at the dashboard' }),
  authStatus: Schema.Literals(Verification.AuthStatus).annotate({
    description: "EXPIRED as soon as its time is over, also before anybody has tried its code"
  }),
  attemptsLeft: Schema.Int.annotate({ description: "How many more codes may be tried" }),
  method: Schema.NullOr(
    Schema.String.annotate({
      description: "OTP, ONETAP, LINK, or the number verifier that knew the number, such as TRUECALLER",
      examples: ["OTP"]
    })
  ),
  country: Schema.NullOr(Country),
  createdAt: Timestamp,
  verifiedAt: Schema.NullOr(Timestamp),
  deliveries: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      channel: ChannelName,
      type: Schema.Literals(["OTP", "LINK"]),
      deliveryStatus: Schema.Literals(["PENDING", "SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"]),
      attemptNumber: Schema.Int,
      carrier: Carrier,
      providerId: Schema.NullOr(Schema.String),
      providerCode: Schema.NullOr(Schema.String.annotate({ description: "Why it FAILED" })),
      createdAt: Timestamp
    })
  )
}).annotate({ identifier: "Verification" })

export const TimelineAnswer = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      at: Timestamp,
      sinceStartMs: Schema.Int.annotate({ description: "Milliseconds since the verification was started" }),
      kind: Schema.Literals(TimelineKind),
      reason: Schema.String.annotate({ description: "For people; it may be reworded" }),
      data: JsonObject
    })
  )
}).annotate({ identifier: "Timeline" })

export const SeenMessagesAnswer = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      deliveryId: Schema.String,
      channel: ChannelName,
      templateId: Schema.NullOr(Schema.String.annotate({ description: "Null for the built-in words" })),
      templateVersion: Schema.NullOr(Schema.Int),
      subject: Schema.NullOr(Schema.String.annotate({ description: "EMAIL" })),
      text: Schema.NullOr(
        Schema.String.annotate({
          description: "Null where only the provider has the words, or they are kept no more",
          examples: ["•••••• is your Acme Shop code. It is valid for 5 minutes."]
        })
      )
    })
  )
}).annotate({ identifier: "SeenMessages" })

const range = {
  from: Schema.optionalKey(Timestamp.annotate({ description: "The beginning, which is in it" })),
  to: Schema.optionalKey(Timestamp.annotate({ description: "The end, which is not" }))
}
const part = { cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Limit) }

export const SearchQuery = {
  identity: Schema.optionalKey(
    Schema.String.annotate({ description: "A phone number or an e-mail address, in any spelling" })
  ),
  orderId: Schema.optionalKey(Schema.String.annotate({ description: "Of backends and of apps" })),
  status: Schema.optionalKey(text({ enum: Verification.AuthStatus })),
  channel: Schema.optionalKey(ChannelField),
  country: Schema.optionalKey(Country),
  ...range,
  ...part
}

export const LockAnswer = Schema.Struct({
  lockedUntil: Schema.NullOr(
    Timestamp.annotate({
      description: "Until when requests for codes of this person are refused. Null while they are not"
    })
  ),
  wrongCodes: Schema.Int.annotate({ description: "Wrong codes in a row that count now" })
}).annotate({ identifier: "Lock" })

export const RefusalAnswer = Schema.Struct({
  at: Timestamp,
  path: Schema.Literals(["SERVER", "SDK"]),
  errorCode: Schema.String.annotate({ examples: ["RATE_LIMIT_EXCEEDED"] }),
  reason: Schema.String.annotate({
    description: "Which limit, or which field: what refusals are counted by",
    examples: ["spelling"]
  }),
  identity: Schema.NullOr(Masked),
  channel: Schema.NullOr(ChannelName),
  country: Schema.NullOr(Country)
}).annotate({ identifier: "Refusal" })

const one = { params: { requestId: RequestId } }

/** What happened to people's verifications, for whoever looks after them. */
export class VerificationApi extends HttpApiGroup.make("verifications")
  .add(
    HttpApiEndpoint.get("search", "/verifications", {
      query: SearchQuery,
      success: listOf(VerificationAnswer),
      error: [...answers.search, TooMany]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Search verifications",
          "Newest first; all that is given must hold. A page looks at 5,000 verifications at most: it may hold fewer than `limit`, even none, and still have a `nextCursor`. Identities are masked."
        )
      ),
    HttpApiEndpoint.get("get", "/verifications/:requestId", {
      ...one,
      success: VerificationAnswer,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(describe("One verification", "Its identity is masked.")),
    HttpApiEndpoint.get("timeline", "/verifications/:requestId/timeline", {
      ...one,
      success: TimelineAnswer,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "The life of a verification",
          "In order: every decision, send, try, receipt, fallback, event and webhook, each with its reason. Events and webhooks are told as long as they are kept."
        )
      ),
    HttpApiEndpoint.get("messages", "/verifications/:requestId/messages", {
      ...one,
      success: SeenMessagesAnswer,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "What the person saw",
          "The words of each message, with dots for its code or link, and with brand and language as the settings are now."
        )
      ),
    HttpApiEndpoint.post("unmask", "/verifications/:requestId/unmask", {
      ...one,
      success: Schema.Struct({
        identity: Schema.String.annotate({ description: "As it was written", examples: ["+91 98765 43210"] })
      }).annotate({ identifier: "Unmasked" }),
      error: [NotFound, ...answers.command]
    })
      .middleware(AdminFresh)
      .annotate(AnswerKept, false)
      .annotateMerge(describe("Whose verification it is", "Who asked is put down in the audit before it is answered.")),
    HttpApiEndpoint.get("lock", "/verifications/:requestId/lock", {
      ...one,
      success: LockAnswer,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Whether its person is locked out",
          "By `maxConsecutiveFailures` wrong codes in a row, on the path of this verification: backend or app."
        )
      ),
    HttpApiEndpoint.post("unlock", "/verifications/:requestId/unlock", {
      ...one,
      success: UnlockAnswer,
      error: [NotFound, ...answers.command]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Unlock its person",
          "As `POST /v1/dashboard/unlock`, without showing who it is. The hourly limit stays."
        )
      ),
    HttpApiEndpoint.get("refusals", "/refusals", {
      query: { ...range, reason: Schema.optionalKey(Schema.String), ...part },
      success: listOf(RefusalAnswer),
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Initiates that were refused",
          "Newest first, of the last 7 days, a second or two after they happened. All are counted in the statistics. Listed are, of each process, at most a hundred a second of your backend's and one a second of apps'."
        )
      ),
    HttpApiEndpoint.get("live", "/live", {
      success: HttpApiSchema.WithHeaders(HttpApiSchema.StreamUint8Array({ contentType: "text/event-stream" }), {
        "content-type": Schema.Literal("text/event-stream"),
        "x-accel-buffering": Schema.Literal("no")
      }),
      error: [TooMany, ...answers.read]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "What moves",
          "Server-sent events: `verification` and `lead`, with an item of their list as data, masked, and `reset` when something was left out and the lists are to be read again. A comment comes every 15 seconds. With `Last-Event-ID` it goes on after that event. Read it with `fetch`: `EventSource` sends no headers."
        )
      )
      .annotate(BodyHoldsPlace, false)
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Verifications",
      description: "Searches among verifications, the life of one, and what was refused, as it happens."
    })
  ) {}
