import { Result } from "effect"
import { afterwards, type Till } from "../billing/Till.ts"
import { lowJobs } from "../billing/balanceLow.ts"
import { paidAgain } from "../billing/bookingsOf.ts"
import { advance, type DeliveryNews } from "../delivery/advance.ts"
import { dead } from "../delivery/Delivery.ts"
import { safeCode } from "../delivery/safeCode.ts"
import { sendPolicies } from "../delivery/SendPolicy.ts"
import type { Lease } from "../outbox/Job.ts"
import type { Instant } from "../time/Instant.ts"
import { bookingsOfDeliveries, changeOf } from "./VerificationChange.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { canFallBack, fallBack } from "./fallback.ts"
import { goOn, type Told } from "./story.ts"
import { ended } from "./Subject.ts"
import type { Verification } from "./Verification.ts"
import { type VerificationDelivery, withTimes } from "./VerificationDelivery.ts"
import * as VerificationEvent from "./VerificationEvent.ts"
import type { Loaded } from "./VerificationStore.ts"

/** News about one delivery: from the send itself, or from the provider's receipt. */
export interface DeliveryReport extends DeliveryNews {
  readonly deliveryId: string
}

export type DeliverOutcome =
  | { readonly _tag: "Advanced"; readonly verification: Verification }
  /** The verification has no such delivery, or it is as it was. */
  | { readonly _tag: "Unchanged" }

/** A delivery after reports about it, and when it came so far; null when they change nothing. */
export const advanced = (
  delivery: VerificationDelivery,
  news: ReadonlyArray<DeliveryNews>,
  now: Instant
): VerificationDelivery | null => {
  const next = advance(delivery, news, now)
  return next === null || next.status === delivery.status ? next : withTimes(next, next.status, now)
}

/** A try to send a delivery that did not succeed, and did not end it. */
export interface TriedInVain {
  readonly deliveryId: string
  readonly providerCode: string
  /** When it is tried again; null when nobody does. */
  readonly again: Instant | null
  /** The provider did not answer: the message may be on its way all the same. */
  readonly isUnanswered: boolean
}

/** Remembers a try in vain, and whether the message may be on its way. Unchanged when the delivery moved on meanwhile. */
export const triedInVain = (
  { subject, verification }: Loaded,
  { again, deliveryId, isUnanswered, providerCode }: TriedInVain,
  now: Instant
): Decision<DeliverOutcome> => {
  const delivery = verification.deliveries.find(({ id }) => id === deliveryId)
  if (delivery?.status !== "PENDING") return unchanged({ _tag: "Unchanged" })
  const deliveries = verification.deliveries.map((one) =>
    one === delivery && isUnanswered ? { ...one, unanswered: true as const } : one
  )
  const start = verification.createdAt
  const story = goOn(verification.story, [
    [now - start, "tried", delivery.attemptNumber, safeCode(providerCode), again === null ? null : again - start]
  ])
  const next: Verification = { ...verification, deliveries, story }
  return {
    outcome: { _tag: "Advanced", verification: next },
    change: changeOf(verification, subject, next, { at: now })
  }
}

/**
 * Stores a delivery that news has moved to `next`. A failure sends the code on the fallback channel at once, if that can
 * be paid with what it gives back; when nothing can arrive any more, the verification has FAILED.
 */
export const afterDelivery = (
  { subject, verification }: Loaded,
  next: VerificationDelivery,
  fresh: { readonly eventId: string; readonly deliveryId: string },
  till: Till,
  done: Lease | null,
  now: Instant
): Decision<DeliverOutcome> => {
  const before = verification.deliveries.find(({ id }) => id === next.id)
  if (before === undefined || before === next) return unchanged({ _tag: "Unchanged" })
  const deliveries = verification.deliveries.map((delivery) => (delivery === before ? next : delivery))
  let how: Told = done === null ? { at: now, by: "receipt" } : { at: now }
  const reported: Verification = { ...verification, deliveries }
  const failed = next.status === "FAILED" && before.status !== "FAILED"
  const arrived = deliveries.some(({ status }) => status === "DELIVERED" || status === "READ")
  const left = afterwards(till, bookingsOfDeliveries(verification, reported, now))
  if (failed && !arrived && canFallBack(reported, now)) {
    const fell = fallBack(reported, fresh.deliveryId, left, now)
    if (Result.isSuccess(fell)) {
      const { jobs, verification: fellBack } = fell.success
      return {
        outcome: { _tag: "Advanced", verification: fellBack },
        change: changeOf(verification, subject, fellBack, how, { jobs, done })
      }
    }
    how = { ...how, unpaid: fell.failure }
  }
  const lost = failed && verification.status === "PENDING" && deliveries.every(dead)
  const after: Verification = lost ? { ...reported, status: "FAILED", undeliverable: true } : reported
  return {
    outcome: { _tag: "Advanced", verification: after },
    change: changeOf(verification, lost ? ended(subject, after.id) : subject, after, how, {
      events: lost ? [VerificationEvent.undeliverable(fresh.eventId, after, now)] : [],
      jobs: how.unpaid === undefined ? [] : lowJobs(left, [], now),
      done
    })
  }
}

/**
 * What reports about one delivery lead to, in their order; a report that comes late, twice or out of order changes
 * nothing.
 */
export const deliver = (
  loaded: Loaded,
  reports: ReadonlyArray<DeliveryReport>,
  fresh: { readonly eventId: string; readonly deliveryId: string },
  till: Till,
  done: Lease | null,
  now: Instant
): Decision<DeliverOutcome> => {
  const delivery = loaded.verification.deliveries.find(({ id }) => id === reports[0]?.deliveryId)
  const next = delivery === undefined ? null : advanced(delivery, reports, now)
  if (delivery === undefined || next === null) return unchanged({ _tag: "Unchanged" })
  return afterDelivery(loaded, paidAgain(delivery, next, sendPolicies.code, till), fresh, till, done, now)
}
