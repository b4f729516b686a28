import { Effect } from "effect"
import type { MerchantStore } from "./MerchantStore.ts"
import type { DeploymentStore } from "./DeploymentStore.ts"

/**
 * Returns the id of the merchant that owns the service's own configured resources, such as the channel's WhatsApp
 * numbers. Null when there is no merchant. The id is recorded once and never changes. Unless configured keys have
 * recorded it, the first use records the existing merchant.
 */
export const firstMerchant = Effect.fnUntraced(function* (
  deployment: DeploymentStore["Service"],
  merchants: MerchantStore["Service"]
) {
  const recorded = yield* deployment.get("firstMerchant")
  if (recorded !== null) return recorded
  const [oldest] = yield* merchants.list({ after: null, limit: 1 })
  return oldest === undefined ? null : yield* deployment.claim("firstMerchant", oldest.id)
})
