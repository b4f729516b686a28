import { Schema } from "effect"

/** No webhook endpoint of that id in this environment. */
export class UnknownWebhook extends Schema.TaggedError<UnknownWebhook>()("UnknownWebhook", {}) {}

/** No delivery of that id in this endpoint's log, or its event is too old to be sent again. */
export class UnknownWebhookDelivery extends Schema.TaggedError<UnknownWebhookDelivery>()(
  "UnknownWebhookDelivery",
  {}
) {}

/** A replay to this endpoint is still under way. */
export class ReplayRuns extends Schema.TaggedError<ReplayRuns>()("ReplayRuns", {}) {}

/** Another endpoint of the environment has this URL. */
export class WebhookUrlTaken extends Schema.TaggedError<WebhookUrlTaken>()("WebhookUrlTaken", {}) {}
