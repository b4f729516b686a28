import { Schema } from "effect"
import type { EventOf } from "../../foundation/event/Event.ts"
import type { Settings } from "../merchant/Settings.ts"
import type { Job, Lease } from "../../foundation/outbox/Job.ts"
import * as JobKind from "../../foundation/outbox/JobKind.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import type { Balance } from "./Balance.ts"
import { BalanceStore } from "./BalanceStore.ts"
import { afterwards, type Budget } from "./Budget.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"

/** Checks whether a balance became low, or recovered. */
export const balanceLowKind = JobKind.make("balance-low", Schema.Struct({}), { mostFailures: null })

/** Sends within the same second share a single check. */
const after = seconds(1)

const isLow = ({ amount }: Pick<Balance, "amount">, { balanceLowAt }: Pick<Settings, "balanceLowAt">): boolean =>
  balanceLowAt !== null && amount < balanceLowAt

/**
 * The job that checks a balance: needed when the moved amounts make it low, or when it is low and no warning was sent
 * yet.
 */
export const lowJobs = (budget: Budget, booked: ReadonlyArray<Booking>, now: Instant): ReadonlyArray<Job> => {
  const balance = afterwards(budget, booked).funds?.balance
  if (balance === undefined || isLow(balance, budget.settings) === balance.isLow) return []
  const { environment } = balance
  return [balanceLowKind.job({ key: `balance-low:${environment}`, environment, payload: {}, runAt: now + after })]
}

/** The warning for a balance that became low, once for each fall; null when nothing changed. */
export const warnOfLowBalance = (
  balance: Balance,
  settings: Pick<Settings, "balanceLowAt">,
  { currency, done, eventId }: { readonly currency: string; readonly done: Lease; readonly eventId: string },
  now: Instant
): BalanceStore.Change | null => {
  const low = isLow(balance, settings)
  if (low === balance.isLow) return null
  const { amount, environment } = balance
  const event: EventOf<"balance.low"> = {
    id: eventId,
    environment,
    type: "balance.low",
    createdAt: now,
    data: { balance: amount, threshold: settings.balanceLowAt ?? 0, currency }
  }
  return BalanceStore.change({ ...balance, isLow: low }, { events: low ? [event] : [], done })
}
