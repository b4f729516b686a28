import {
  Advice,
  FallbackState,
  guardReasons,
  guardVerdicts,
  OutcomeCode,
  OutcomeReason,
  TimelineKind,
  Verification
} from "@countersign/core"
import { ChannelName } from "@countersign/core/channel"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AnswerKept } from "../contract/AnswerKept.ts"
import * as answers from "../contract/answers.ts"
import { asCsv, CsvFile } from "../csv/contract.ts"
import { BodyHoldsPlace } from "../contract/PublicLimits.ts"
import { describe } from "../contract/describe.ts"
import { UnlockAnswer } from "../erasure/contract.ts"
import { BadRequest, NotFound, TooMany } from "../contract/ErrorEnvelope.ts"
import {
  Carrier,
  ChannelField,
  Flag,
  JsonObject,
  Limit,
  listOf,
  Masked,
  PersonField,
  text,
  Timestamp
} from "../contract/Field.ts"
import { AdminFresh, Viewer, Worker } from "../contract/Security.ts"

const RequestId = Schema.String.annotate({ examples: ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd"] })
const Country = Schema.String.annotate({ description: "ISO 3166 country code", examples: ["IN"] })

const undelivered = {
  channel: Schema.NullOr(ChannelName),
  reason: Schema.NullOr(
    Schema.Literals(OutcomeReason).annotate({ description: "Why the message did not arrive", examples: ["RECIPIENT"] })
  ),
  cause: Schema.NullOr(
    Schema.String.annotate({ description: "The provider's code, or one of the service", examples: ["30003"] })
  )
}

export const OutcomeAnswer = Schema.Struct({
  code: Schema.Literals(OutcomeCode).annotate({ description: "What happened" }),
  ...undelivered,
  fallback: Schema.NullOr(
    Schema.Struct({
      state: Schema.Literals(FallbackState).annotate({ description: "What the fallback did" }),
      ...undelivered
    }).annotate({ description: "Null if a fallback could not have changed the outcome" })
  ),
  lockedUntil: Schema.NullOr(
    Timestamp.annotate({ description: "The user is locked out until then. Null in the live stream" })
  ),
  advice: Schema.Literals(Advice).annotate({ description: "The next step" })
}).annotate({ identifier: "Outcome" })

export const VerificationAnswer = Schema.Struct({
  requestId: RequestId,
  person: PersonField,
  identity: Masked,
  identityType: Schema.Literals(["MOBILE", "EMAIL"]),
  mode: Schema.Literals(Verification.Mode),
  channel: ChannelName.annotate({ description: "The channel that was requested last" }),
  path: Schema.Literals(["SERVER", "SDK"]).annotate({
    description: "The caller: the merchant's backend (SERVER) or an app with the public key (SDK)"
  }),
  orderId: Schema.NullOr(Schema.String),
  trial: Schema.Boolean.annotate({ description: 'Whether it was started with "Try it" in the dashboard' }),
  relayed: Schema.NullOr(
    Schema.Struct({
      deliveryStatus: Schema.Literals(["PENDING", "SENT", "DELIVERED", "READ", "FAILED"]),
      purpose: Schema.NullOr(Schema.String),
      origin: Schema.NullOr(Schema.String.annotate({ description: "The hook that brought it. Null for the API" }))
    })
  ).annotate({
    description: "A code of another sign-in system, which alone knows whether it was typed. Null for a verification"
  }),
  authStatus: Schema.Literals(Verification.AuthStatus).annotate({
    description: "EXPIRED as soon as its time is over, even without an attempt"
  }),
  attemptsLeft: Schema.Int.annotate({ description: "How many attempts are left" }),
  method: Schema.NullOr(
    Schema.String.annotate({
      description: "OTP, ONETAP, LINK, or the number verifier that verified the number, such as TRUECALLER",
      examples: ["OTP"]
    })
  ),
  country: Schema.NullOr(Country),
  context: Schema.NullOr(
    Schema.Struct({
      clientIp: Schema.NullOr(
        Schema.String.annotate({ description: "Null for who sees masked identities", examples: ["203.0.113.7"] })
      ),
      userAgent: Schema.NullOr(Schema.String),
      deviceId: Schema.NullOr(Schema.String.annotate({ description: "Null for who sees masked identities" })),
      tags: Schema.Record(Schema.String, Schema.String)
    })
  ).annotate({ description: "What the backend said about the user's request. Null if it said nothing" }),
  guard: Schema.Struct({
    verdict: Schema.Literals(guardVerdicts),
    reasons: Schema.Array(Schema.Struct({ reason: Schema.Literals(guardReasons), score: Schema.Finite }))
  }).annotate({
    description: "How the guard judged the latest send. A code with reasons was sent because none of them was enforced"
  }),
  createdAt: Timestamp,
  verifiedAt: Schema.NullOr(Timestamp),
  outcome: Schema.NullOr(
    OutcomeAnswer.annotate({
      description: "What happened, why, and the next step, as codes. Null while it is pending, and when it is verified"
    })
  ),
  deliveries: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      channel: ChannelName,
      type: Schema.Literals(["OTP", "LINK"]),
      deliveryStatus: Schema.Literals(["PENDING", "SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"]),
      attemptNumber: Schema.Int,
      carrier: Carrier,
      providerId: Schema.NullOr(Schema.String),
      providerCode: Schema.NullOr(Schema.String.annotate({ description: "Why the delivery FAILED" })),
      createdAt: Timestamp
    })
  )
}).annotate({ identifier: "Verification" })

export const TimelineAnswer = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      at: Timestamp,
      sinceStartMs: Schema.Int.annotate({ description: "Milliseconds since the start of the verification" }),
      kind: Schema.Literals(TimelineKind),
      reason: Schema.String.annotate({ description: "A text for people. It may change" }),
      data: JsonObject
    })
  )
}).annotate({ identifier: "Timeline" })

export const SeenMessagesAnswer = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      deliveryId: Schema.String,
      channel: ChannelName,
      templateId: Schema.NullOr(Schema.String.annotate({ description: "Null for the built-in text" })),
      templateVersion: Schema.NullOr(Schema.Int),
      subject: Schema.NullOr(Schema.String.annotate({ description: "EMAIL only" })),
      text: Schema.NullOr(
        Schema.String.annotate({
          description: "Null if only the provider has the text, or if it is no longer stored",
          examples: ["•••••• is your Acme Shop code. It is valid for 5 minutes."]
        })
      )
    })
  )
}).annotate({ identifier: "SeenMessages" })

const range = {
  from: Schema.optionalKey(Timestamp.annotate({ description: "Start of the range (inclusive)" })),
  to: Schema.optionalKey(Timestamp.annotate({ description: "End of the range (exclusive)" }))
}
const part = { cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Limit) }

const ofPerson = {
  identity: Schema.optionalKey(
    Schema.String.annotate({ description: "A phone number or an e-mail address, in any spelling" })
  ),
  person: Schema.optionalKey(Schema.String.annotate({ description: "A person's reference" }))
}

export const SearchQuery = {
  ...ofPerson,
  orderId: Schema.optionalKey(Schema.String.annotate({ description: "An `orderId` from a backend or an app" })),
  status: Schema.optionalKey(text({ enum: Verification.AuthStatus })),
  channel: Schema.optionalKey(ChannelField),
  country: Schema.optionalKey(Country),
  outcome: Schema.optionalKey(
    Schema.String.annotate({
      description: `Ended without success: one or more of ${OutcomeCode.join(", ")}, separated by commas`,
      examples: ["NOT_SENT,NOT_DELIVERED"]
    })
  ),
  reason: Schema.optionalKey(text({ enum: OutcomeReason }).annotate({ description: "Why the message did not arrive" })),
  tag: Schema.optionalKey(Schema.String.annotate({ description: "A tag, as `name:value`", examples: ["plan:trial"] })),
  guard: Schema.optionalKey(text({ enum: guardReasons }).annotate({ description: "A reason that the guard had" })),
  relayed: Schema.optionalKey(
    Flag.annotate({ description: "`true` for codes of other sign-in systems only, `false` for everything else" })
  ),
  ...range,
  ...part
}

export const LockAnswer = Schema.Struct({
  lockedUntil: Schema.NullOr(
    Timestamp.annotate({
      description: "Code requests for this identity are refused until then. Null if it is not locked"
    })
  ),
  reason: Schema.NullOr(
    Schema.Literals(["WRONG_CODES", "WRONG_NUMBERS"]).annotate({
      description: "`WRONG_NUMBERS`: only links are refused, after wrong numbers on their pages"
    })
  ),
  wrongCodes: Schema.Int.annotate({ description: "The current number of wrong codes in a row" })
}).annotate({ identifier: "Lock" })

export const RefusalAnswer = Schema.Struct({
  at: Timestamp,
  path: Schema.Literals(["SERVER", "SDK"]),
  errorCode: Schema.String.annotate({ examples: ["RATE_LIMIT_EXCEEDED"] }),
  reason: Schema.String.annotate({
    description: "The limit or field that caused the refusal. Refusals are counted by it",
    examples: ["spelling"]
  }),
  identity: Schema.NullOr(Masked),
  person: Schema.NullOr(PersonField),
  channel: Schema.NullOr(ChannelName),
  country: Schema.NullOr(Country)
}).annotate({ identifier: "Refusal" })

const one = { params: { requestId: RequestId } }

/** Verifications and their history, for support. */
export class VerificationApi extends HttpApiGroup.make("verifications")
  .add(
    HttpApiEndpoint.get("search", "/verifications", {
      query: {
        ...SearchQuery,
        unmask: Schema.optionalKey(
          Flag.annotate({
            description:
              "For `Accept: text/csv` only: the file shows whole identities. Needs the role ADMIN and a recent sign-in"
          })
        )
      },
      success: [listOf(VerificationAnswer), CsvFile],
      error: [...answers.search, TooMany]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Search verifications",
          `Newest first. A verification must match all filters. A page examines at most 5,000 verifications, so it may contain fewer than \`limit\`, even none, and still have a \`nextCursor\`. Identities are masked. ${asCsv}`
        )
      ),
    HttpApiEndpoint.get("get", "/verifications/:requestId", {
      ...one,
      success: VerificationAnswer,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(describe("Read a verification", "The identity is masked.")),
    HttpApiEndpoint.get("timeline", "/verifications/:requestId/timeline", {
      ...one,
      success: TimelineAnswer,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Read a verification's timeline",
          "Every decision, send, attempt, receipt, fallback, event and webhook, in order, each with a reason. Events and webhooks appear as long as they are stored."
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
          "Read a verification's messages",
          "The text of each message, with dots instead of the code or link. Brand and language come from the current settings."
        )
      ),
    HttpApiEndpoint.post("unmask", "/verifications/:requestId/unmask", {
      ...one,
      success: Schema.Struct({
        identity: Schema.String.annotate({ description: "The identity as it was sent", examples: ["+91 98765 43210"] })
      }).annotate({ identifier: "Unmasked" }),
      error: [NotFound, ...answers.command]
    })
      .middleware(AdminFresh)
      .annotate(AnswerKept, false)
      .annotateMerge(
        describe(
          "Unmask a verification's identity",
          "The audit log records the caller before the identity is returned."
        )
      ),
    HttpApiEndpoint.get("lock", "/verifications/:requestId/lock", {
      ...one,
      success: LockAnswer,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Check whether an identity is locked",
          "An identity is locked after `maxConsecutiveFailures` wrong codes in a row, separately for backends and apps. After three wrong numbers on the pages of links within 24 hours, it gets no more links."
        )
      ),
    HttpApiEndpoint.post("unlock", "/verifications/:requestId/unlock", {
      ...one,
      success: UnlockAnswer,
      error: [NotFound, ...answers.command]
    })
      .middleware(Worker)
      .annotateMerge(
        describe(
          "Unlock a verification's identity",
          "Same as `POST /v1/dashboard/unlock`, without revealing the identity. The hourly limit does not change."
        )
      ),
    HttpApiEndpoint.get("refusals", "/refusals", {
      query: { person: ofPerson.person, ...range, reason: Schema.optionalKey(Schema.String), ...part },
      success: [listOf(RefusalAnswer), CsvFile],
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "List refused requests",
          `Refused initiates of the last 7 days, newest first, with a delay of a second or two. The statistics count all of them. The list contains at most 100 per second from backends and one per second from apps, for each server process. ${asCsv}`
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
          "Stream live changes",
          "Server-sent events: `verification` and `lead`, with a masked list item as data, `changed`, with the ids of `leads` to read again, for signed-in agents `viewers`, with all agents who have a lead open, and `reset` when events were lost and the lists must be read again. A comment is sent every 15 seconds. `Last-Event-ID` resumes after that event. Read the stream with `fetch`: `EventSource` cannot send headers."
        )
      )
      .annotate(BodyHoldsPlace, false)
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Verifications",
      description: "Search verifications, read their timelines, list refused requests, and follow changes live."
    })
  ) {}
