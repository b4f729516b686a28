import { Schema } from "effect"

/** This environment has no webhook endpoint with that id. */
export class UnknownWebhook extends Schema.TaggedError<UnknownWebhook>()("UnknownWebhook", {}) {}

/** This endpoint's log has no delivery with that id, or its event is too old to send again. */
export class UnknownWebhookDelivery extends Schema.TaggedError<UnknownWebhookDelivery>()(
  "UnknownWebhookDelivery",
  {}
) {}

/** A replay to this endpoint is still running. */
export class ReplayRuns extends Schema.TaggedError<ReplayRuns>()("ReplayRuns", {}) {}

/** Another endpoint of the environment has this URL. */
export class WebhookUrlTaken extends Schema.TaggedError<WebhookUrlTaken>()("WebhookUrlTaken", {}) {}
