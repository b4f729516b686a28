import { EventType } from "@countersign/core"
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
  failingSince: Schema.NullOr(Timestamp).annotate({ description: "Since when nothing got through" }),
  retiringAt: Schema.NullOr(Timestamp).annotate({ description: "When the secrets before the newest stop signing" }),
  createdAt: Timestamp
}).annotate({ identifier: "Webhook" })

const secret = Schema.String.annotate({
  description: "Shown now and never again",
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
      description: "Ends every older secret at once: for one that leaked. False, if it is left out"
    })
  )
}).annotate({ identifier: "RotateRequest" })

const fields = {
  events: optional(
    Schema.Array(text({ enum: EventType.literals })).annotate({ description: "Types of events; null for all" })
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
    description: "What FAILED is tried again at nextAttemptAt; what is DEAD is not, unless you redeliver it"
  }),
  responseStatus: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why there was no answer" }),
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
  responseBody: Schema.NullOr(Schema.String).annotate({ description: "At most 1 KB of it" })
}).annotate({ identifier: "WebhookDeliveryDetail" })

export const ReplayPayload = Schema.Struct({
  since: Timestamp,
  until: optional(Timestamp.annotate({ description: "Now, if it is left out" })),
  onlyMissing: optional(
    Schema.Boolean.annotate({
      description: "Leaves out what was delivered to this endpoint before. What waits for a retry is tried at once"
    })
  )
}).annotate({ identifier: "ReplayRequest" })

export const ReplayAnswer = Schema.Struct({ since: Timestamp, until: Timestamp }).annotate({
  identifier: "Replay",
  httpApiStatus: 202
})

export const ReplayCountAnswer = Schema.Struct({
  events: Schema.Int.annotate({ description: "How many would be sent, at most: of the newest 1000 of the range" }),
  more: Schema.Boolean.annotate({ description: "Whether the range has more than those" })
}).annotate({ identifier: "ReplayCount" })

export const BacklogAnswer = Schema.Struct({
  pending: Schema.Int.annotate({ description: "How many events wait for a retry" }),
  givenUp: Schema.Int.annotate({
    description: "How many events are not tried again, unless you redeliver or replay them"
  }),
  more: Schema.Boolean.annotate({ description: "Whether there may be more: only the latest failed tries are counted" })
}).annotate({ identifier: "WebhookBacklog" })

const id = { id: WebhookId }
const one = { id: WebhookId, deliveryId: Schema.String }
/** Endpoints of merchants that are told of events. */
export class WebhookApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/webhooks", {
      success: listOf(WebhookAnswer),
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(describe("List endpoints", "The oldest first. There are at most 50.")),
    HttpApiEndpoint.post("create", "/webhooks", {
      payload: NewWebhookPayload,
      success: NewWebhookAnswer,
      error: answers.post
    })
      .middleware(AdminFresh)
      .annotateMerge(describe("Register an endpoint", "Keep the `secret`: it is shown here and never again.")),
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
          "Send only what changes. `status: ACTIVE` switches it on again. A new `url` needs a fresh sign-in."
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
          "Make a new secret",
          "For 24 hours the old one signs beside it, in `webhook-signature`. At most 4 sign at one time. With `endOthers` every older one ends at once."
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
          "Sent at once; the answer says what came of it. When it gets through, what waits for a retry follows at once."
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
        describe("The delivery log", "Every try, newest first, for 30 days. `status=DEAD` lists dead letters.")
      ),
    HttpApiEndpoint.get("delivery", "/webhooks/:id/deliveries/:deliveryId", {
      params: one,
      success: WebhookDeliveryDetail,
      error: answers.lookup
    })
      .middleware(Viewer)
      .annotateMerge(describe("One try", "With what was sent and what was answered.")),
    HttpApiEndpoint.post("redeliver", "/webhooks/:id/deliveries/:deliveryId/redeliver", {
      params: one,
      success: WebhookDeliveryDetail,
      error: [...answers.command, NotFound]
    })
      .middleware(AdminFresh)
      .annotateMerge(
        describe(
          "Send it once more",
          "At once, with the same `webhook-id`; the answer says what came of it. When it gets through, what waits for a retry follows."
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
          "Count undelivered events",
          "Events that this endpoint has not received. `pending` ones are tried again. For `givenUp` ones use a redelivery, or a replay with `onlyMissing`."
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
      .annotateMerge(describe("Count what a replay would send", "Nothing is sent. It takes what the replay takes.")),
    HttpApiEndpoint.post("replay", "/webhooks/:id/replay", {
      params: id,
      payload: ReplayPayload,
      success: ReplayAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(AdminFresh)
      .annotateMerge(
        describe(
          "Send a range once more",
          "Every event recorded in it that this endpoint wants, in the background. One replay of an endpoint at a time. With `onlyMissing`, what waits for a retry is tried at once."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhooks",
      description: "Endpoints that are told of events, what became of each delivery, and what is sent again."
    })
  ) {}
