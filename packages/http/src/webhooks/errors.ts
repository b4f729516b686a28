import type { ReplayRuns, UnknownWebhook, UnknownWebhookDelivery, WebhookUrlTaken } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of webhooks. */
export const errors = defineErrors({
  ReplayRuns: (_: ReplayRuns) => ({
    errorCode: "WEBHOOK_REPLAY_RUNS",
    message: "A replay to this endpoint is still running; wait until it has finished"
  }),
  UnknownWebhook: (_: UnknownWebhook) => ({
    errorCode: "WEBHOOK_NOT_FOUND",
    message: "No webhook endpoint has this id"
  }),
  UnknownWebhookDelivery: (_: UnknownWebhookDelivery) => ({
    errorCode: "WEBHOOK_DELIVERY_NOT_FOUND",
    message: "This endpoint has no delivery with this id, or its event is older than 30 days"
  }),
  WebhookUrlTaken: (_: WebhookUrlTaken) => ({
    errorCode: "WEBHOOK_URL_DUPLICATE",
    message: "Another webhook endpoint of this environment has this URL; change or remove that one"
  })
})
