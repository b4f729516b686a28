import { EventState, EventType, HealthCode } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { bodyOptional } from "../contract/BodyOptional.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound, Reused } from "../contract/ErrorEnvelope.ts"
import { Flag, Limit, listOf, optional, text, Timestamp } from "../contract/Field.ts"
import { Admin, AdminFresh, Viewer } from "../contract/Security.ts"

const WebhookId = Schema.String.annotate({ examples: ["whk_01kaj3v9c0q5w8xn2rz7t4m6hd"] })
const Url = Schema.String.annotate({ examples: ["https://example.com/webhooks"] })
const Events = Schema.NullOr(Schema.Array(EventType)).annotate({ description: "Null for all types" })

export const WebhookAnswer = Schema.Struct({
  id: WebhookId,
  url: Url,
  events: Events,
  description: Schema.NullOr(Schema.String),
  status: Schema.Literals(["ACTIVE", "DISABLED"]),
  disabledReason: Schema.NullOr(Schema.Literals(["GONE", "FAILING", "MERCHANT"])),
  failingSince: Schema.NullOr(Timestamp).annotate({ description: "When deliveries started to fail" }),
  retiringAt: Schema.NullOr(Timestamp).annotate({ description: "When all secrets except the newest stop signing" }),
  createdAt: Timestamp
}).annotate({ identifier: "Webhook" })

const secret = Schema.String.annotate({
  description: "Returned only here",
  examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]
})

export const NewWebhookAnswer = Schema.Struct({ ...WebhookAnswer.fields, secret }).annotate({
  identifier: "NewWebhook",
  httpApiStatus: 201
})

export const RotatedWebhookAnswer = Schema.Struct({ ...WebhookAnswer.fields, secret }).annotate({
  identifier: "RotatedWebhook"
})

export const RotatePayload = Schema.Struct({
  endOthers: optional(
    Schema.Boolean.annotate({
      description: "Revokes all older secrets immediately, for example after a leak. Default: false"
    })
  )
}).annotate({ identifier: "RotateRequest" })

const fields = {
  events: optional(
    Schema.Array(text({ enum: EventType.literals })).annotate({ description: "Event types; null for all" })
  ),
  description: optional(Schema.String)
}

export const NewWebhookPayload = Schema.Struct({ url: Url, ...fields }).annotate({ identifier: "NewWebhookRequest" })

export const ChangeWebhookPayload = Schema.Struct({
  url: optional(Url),
  ...fields,
  status: optional(text({ enum: ["ACTIVE", "DISABLED"] }))
}).annotate({ identifier: "ChangeWebhookRequest" })

const attempt = {
  id: Schema.String.annotate({ examples: ["dlv_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
  eventId: Schema.String,
  eventType: EventType,
  attempt: Schema.Int.annotate({ examples: [1] }),
  status: Schema.Literals(["DELIVERED", "FAILED", "DEAD"]).annotate({
    description: "A FAILED delivery is retried at `nextAttemptAt`. A DEAD one is not, unless you redeliver it"
  }),
  responseStatus: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why the endpoint did not answer" }),
  durationMs: Schema.Int,
  createdAt: Timestamp,
  nextAttemptAt: Schema.NullOr(Timestamp)
}

export const WebhookDeliveryAnswer = Schema.Struct(attempt).annotate({ identifier: "WebhookDelivery" })

export const WebhookDeliveryDetail = Schema.Struct({
  ...attempt,
  request: Schema.Struct({
    url: Url,
    body: Schema.NullOr(Schema.String).annotate({ description: "Null once the event is older than 30 days" })
  }),
  responseBody: Schema.NullOr(Schema.String).annotate({ description: "The first 1 KB" })
}).annotate({ identifier: "WebhookDeliveryDetail" })

export const ReplayPayload = Schema.Struct({
  since: Timestamp,
  until: optional(Timestamp.annotate({ description: "Default: now" })),
  onlyMissing: optional(
    Schema.Boolean.annotate({
      description:
        "Skips events that this endpoint has already received. Events that wait for a retry are sent within a minute, also those outside the range"
    })
  )
}).annotate({ identifier: "ReplayRequest" })

export const ReplayAnswer = Schema.Struct({ since: Timestamp, until: Timestamp }).annotate({
  identifier: "Replay",
  httpApiStatus: 202
})

export const ReplayCountAnswer = Schema.Struct({
  events: Schema.Int.annotate({
    description:
      "How many events would be sent, of the newest 1,000 in the range. With `onlyMissing` this includes events outside the range that wait for a retry"
  }),
  more: Schema.Boolean.annotate({ description: "Whether the range has more than 1,000 events" })
}).annotate({ identifier: "ReplayCount" })

const EventId = Schema.String.annotate({ examples: ["evt_01kgbq1vr0c4m8x2t6w0z5n9ek"] })

export const WebhookEventAnswer = Schema.Struct({
  id: EventId,
  type: EventType,
  createdAt: Timestamp,
  requestId: Schema.NullOr(Schema.String.annotate({ description: "The verification of the event, if it has one" })),
  state: Schema.Literals(EventState).annotate({
    description:
      "DELIVERED: the endpoint answered 2xx. WAITING: retried at `nextAttemptAt`. FAILED: not retried, unless you retry it"
  }),
  nextAttemptAt: Schema.NullOr(Timestamp),
  attempts: Schema.Array(WebhookDeliveryAnswer).annotate({ description: "Oldest first, at most 20" })
}).annotate({ identifier: "WebhookEvent" })

export const RetryAnswer = Schema.Struct({
  events: Schema.Int.annotate({ description: "How many events are sent now" })
}).annotate({ identifier: "WebhookRetry", httpApiStatus: 202 })

export const BacklogAnswer = Schema.Struct({
  health: Schema.Literals(HealthCode).annotate({
    description:
      "NO_EVENT_YET, WORKS, WAITING (events wait for a retry), NOT_DELIVERED (events are missing and not retried), FAILING (no attempt succeeded since `since`) or DISABLED"
  }),
  since: Schema.NullOr(Timestamp.annotate({ description: "Since when it fails, or since when events wait" })),
  lastResponseStatus: Schema.NullOr(Schema.Int.annotate({ description: "The answer to the last attempt" })),
  lastError: Schema.NullOr(Schema.String.annotate({ description: "Why the last attempt had no answer" })),
  pending: Schema.Int.annotate({ description: "How many events wait for a retry" }),
  givenUp: Schema.Int.annotate({
    description: "How many events are not retried, unless you redeliver or replay them"
  }),
  more: Schema.Boolean.annotate({
    description: "Whether there may be more: only the latest failed attempts are counted"
  })
}).annotate({ identifier: "WebhookBacklog" })

const id = { id: WebhookId }
const one = { id: WebhookId, deliveryId: Schema.String }
/** Merchants' endpoints that receive events. */
export class WebhookApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/webhooks", {
      success: listOf(WebhookAnswer),
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(describe("List endpoints", "Oldest first. There are at most 50.")),
    HttpApiEndpoint.post("create", "/webhooks", {
      payload: NewWebhookPayload,
      success: NewWebhookAnswer,
      error: answers.post
    })
      .middleware(AdminFresh)
      .annotateMerge(describe("Register an endpoint", "Store the `secret`: it is returned only here.")),
    HttpApiEndpoint.get("get", "/webhooks/:id", {
      params: id,
      success: WebhookAnswer,
      error: answers.lookup
    }).middleware(Viewer),
    HttpApiEndpoint.patch("update", "/webhooks/:id", {
      params: id,
      payload: ChangeWebhookPayload,
      success: WebhookAnswer,
      error: [...answers.change, NotFound, Reused]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Change an endpoint",
          "Send only the fields to change. `status: ACTIVE` enables the endpoint again. Changing `url` needs a recent sign-in."
        )
      ),
    HttpApiEndpoint.delete("delete", "/webhooks/:id", {
      params: id,
      success: HttpApiSchema.NoContent,
      error: answers.lookup
    }).middleware(Admin),
    HttpApiEndpoint.post("rotateSecret", "/webhooks/:id/rotate-secret", {
      params: id,
      payload: RotatePayload,
      success: RotatedWebhookAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(AdminFresh)
      .annotateMerge(bodyOptional)
      .annotateMerge(
        describe(
          "Rotate the secret",
          "For 24 hours, `webhook-signature` also contains a signature with the old secret. At most 4 secrets sign at the same time. `endOthers` revokes all older ones immediately."
        )
      ),
    HttpApiEndpoint.post("test", "/webhooks/:id/test", {
      params: id,
      success: WebhookDeliveryDetail,
      error: [...answers.command, NotFound]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Send a test event",
          "Sends the event immediately and returns the result. If it succeeds, events that wait for a retry are sent immediately."
        )
      ),
    HttpApiEndpoint.get("deliveries", "/webhooks/:id/deliveries", {
      params: id,
      query: {
        status: Schema.optionalKey(Schema.Literals(["DELIVERED", "FAILED", "DEAD"])),
        cursor: Schema.optionalKey(Schema.String),
        limit: Schema.optionalKey(Limit)
      },
      success: listOf(WebhookDeliveryAnswer),
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "List deliveries",
          "Every attempt of the last 30 days, newest first. `status=DEAD` lists dead letters."
        )
      ),
    HttpApiEndpoint.get("delivery", "/webhooks/:id/deliveries/:deliveryId", {
      params: one,
      success: WebhookDeliveryDetail,
      error: answers.lookup
    })
      .middleware(Viewer)
      .annotateMerge(describe("Read a delivery", "Includes the request and the answer.")),
    HttpApiEndpoint.post("redeliver", "/webhooks/:id/deliveries/:deliveryId/redeliver", {
      params: one,
      success: WebhookDeliveryDetail,
      error: [...answers.command, NotFound]
    })
      .middleware(AdminFresh)
      .annotateMerge(
        describe(
          "Redeliver an event",
          "Sends the event immediately with the same `webhook-id` and returns the result. If it succeeds, events that wait for a retry follow."
        )
      ),
    HttpApiEndpoint.get("events", "/webhooks/:id/events", {
      params: id,
      query: {
        state: Schema.optionalKey(Schema.Literals(EventState)),
        type: Schema.optionalKey(EventType),
        find: Schema.optionalKey(
          Schema.String.annotate({ description: "An event's id, or the `requestId` of a verification" })
        ),
        cursor: Schema.optionalKey(Schema.String),
        limit: Schema.optionalKey(Limit)
      },
      success: listOf(WebhookEventAnswer),
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "List the events of an endpoint",
          "The events of the last 30 days that were sent to it, newest first, each with its attempts. With a filter, a page may have fewer items than `limit` and still a `nextCursor`."
        )
      ),
    HttpApiEndpoint.post("retry", "/webhooks/:id/events/:eventId/retry", {
      params: { id: WebhookId, eventId: EventId },
      success: RetryAnswer,
      error: [...answers.command, NotFound]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Retry an event",
          "Sends an event that the endpoint has not received, in the background. An event that it has received, or that is being sent, is not sent again. The attempt counts like an automatic one."
        )
      ),
    HttpApiEndpoint.post("retryWaiting", "/webhooks/:id/retry", {
      params: id,
      success: RetryAnswer,
      error: [...answers.command, NotFound]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Retry all waiting events",
          "Sends all events that wait for a retry, in the background. Events that are being sent, or are due within a minute, keep their time."
        )
      ),
    HttpApiEndpoint.get("backlog", "/webhooks/:id/backlog", {
      params: id,
      success: BacklogAnswer,
      error: answers.lookup
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Read the health of an endpoint",
          "How the endpoint is doing, and how many events it has not received. `pending` events are retried. Send `givenUp` events with a redelivery, or a replay with `onlyMissing`."
        )
      ),
    HttpApiEndpoint.get("replayable", "/webhooks/:id/replay", {
      params: id,
      query: {
        since: Timestamp,
        until: Schema.optionalKey(Timestamp),
        onlyMissing: Schema.optionalKey(Flag)
      },
      success: ReplayCountAnswer,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe("Count the events of a replay", "Sends nothing. Accepts the same parameters as the replay.")
      ),
    HttpApiEndpoint.post("replay", "/webhooks/:id/replay", {
      params: id,
      payload: ReplayPayload,
      success: ReplayAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(AdminFresh)
      .annotateMerge(
        describe(
          "Replay a range of events",
          "Sends every event of the range that the endpoint subscribes to, in the background. An endpoint can have one replay at a time. With `onlyMissing`, events that wait for a retry are sent within a minute."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhooks",
      description: "Endpoints that receive events, their deliveries, retries and replays."
    })
  ) {}
