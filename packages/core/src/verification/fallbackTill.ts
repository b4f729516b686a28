import { Effect } from "effect"
import type { BalanceStore } from "../billing/BalanceStore.ts"
import { loadTill, noPrices, type Till } from "../billing/Till.ts"
import type { Merchants } from "../merchant/Merchants.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"
import { endedUnheard } from "../delivery/Delivery.ts"
import type { DeliveryReport } from "./deliver.ts"
import { canFallBack } from "./fallback.ts"
import type { Verification } from "./Verification.ts"

interface Billing {
  readonly balances: BalanceStore["Service"]
  readonly merchants: Merchants["Service"]
}

const tillOf = ({ balances, merchants }: Billing, { environment }: Verification, now: Instant) =>
  Effect.flatMap(merchants.environment(environment), (owner) =>
    // A suspended merchant's messages are not sent, whatever they cost.
    owner === null ? Effect.succeed(noPrices) : loadTill(balances, owner, now)
  )

/** What a fallback could be paid with. Nothing is asked of storage where none can follow. */
export const fallbackTill = (
  billing: Billing,
  verification: Verification,
  now: Instant
): Effect.Effect<Till, StoreError> =>
  canFallBack(verification, now) ? tillOf(billing, verification, now) : Effect.succeed(noPrices)

/** What reports about one delivery may have to be paid with: a fallback after a failure, or the message once more. */
export const reportTill = (
  billing: Billing,
  verification: Verification,
  deliveryId: string,
  reports: ReadonlyArray<Pick<DeliveryReport, "status">>,
  now: Instant
): Effect.Effect<Till, StoreError> => {
  const delivery = verification.deliveries.find(({ id }) => id === deliveryId)
  if (delivery !== undefined && endedUnheard(delivery) && delivery.price?.day != null)
    return tillOf(billing, verification, now)
  return reports.some(({ status }) => status === "FAILED")
    ? fallbackTill(billing, verification, now)
    : Effect.succeed(noPrices)
}
