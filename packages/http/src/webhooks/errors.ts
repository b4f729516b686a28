import type { ReplayRuns, UnknownWebhook, UnknownWebhookDelivery, WebhookUrlTaken } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How `/v1/dashboard/webhooks` fails, on the wire. */
export const errors = defineErrors({
  ReplayRuns: (_: ReplayRuns) => ({
    errorCode: "WEBHOOK_REPLAY_RUNS",
    message: "A replay to this endpoint is still under way; wait until it is over"
  }),
  UnknownWebhook: (_: UnknownWebhook) => ({
    errorCode: "WEBHOOK_NOT_FOUND",
    message: "No webhook endpoint with this id"
  }),
  UnknownWebhookDelivery: (_: UnknownWebhookDelivery) => ({
    errorCode: "WEBHOOK_DELIVERY_NOT_FOUND",
    message: "No delivery with this id to this endpoint, or its event is older than 30 days"
  }),
  WebhookUrlTaken: (_: WebhookUrlTaken) => ({
    errorCode: "WEBHOOK_URL_DUPLICATE",
    message: "Another webhook endpoint of this environment has this URL; change or remove that one"
  })
})
