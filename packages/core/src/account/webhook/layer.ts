import { Layer } from "effect"
import * as Resealing from "./Resealing.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { WebhookDeliveries } from "./WebhookDeliveries.ts"
import { Webhooks } from "./Webhooks.ts"

/** Merchants' webhook endpoints and the delivery of events to them. */
export const layer = Webhooks.layerNoDeps.pipe(
  Layer.provide(WebhookDeliveries.layer),
  Layer.provide(Subscriptions.layer),
  Layer.merge(Resealing.layer)
)
