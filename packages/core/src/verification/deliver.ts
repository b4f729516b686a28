import { Result } from "effect"
import { afterwards, type Till } from "../billing/Till.ts"
import { lowJobs } from "../billing/balanceLow.ts"
import { revivedPrice } from "../billing/revivedPrice.ts"
import { advances, dead, type Delivery, type DeliveryStatus } from "../delivery/Delivery.ts"
import { safeCode } from "../delivery/safeCode.ts"
import type { Lease } from "../outbox/Job.ts"
import type { Instant } from "../time/Instant.ts"
import { changeOf } from "./VerificationChange.ts"
import { bookingsOf } from "./bookingsOf.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { canFallBack, fallBack } from "./fallback.ts"
import { notSentInTime } from "./notSentInTime.ts"
import { goOn, type Told } from "./story.ts"
import { ended } from "./Subject.ts"
import type { Verification } from "./Verification.ts"
import * as VerificationEvent from "./VerificationEvent.ts"
import type { Loaded } from "./VerificationStore.ts"

/** News about one delivery: from the send itself, or from the provider's receipt. */
export interface DeliveryReport {
  readonly deliveryId: string
  readonly status: Exclude<DeliveryStatus, "PENDING">
  readonly providerId: string | null
  readonly providerCode: string | null
  /** It is decided here, and no word of the provider's: where that never answered, the message may be on its way still. */
  readonly isOurs?: true
}

export type DeliverOutcome =
  | { readonly _tag: "Advanced"; readonly verification: Verification }
  /** Known already, overtaken, or about a delivery we do not know. */
  | { readonly _tag: "Unchanged" }

/** When it came so far, for each step that it has come now. A report that skips a step says when that was at the latest. */
const timesOf = ({ deliveredAt, readAt, sentAt }: Delivery, status: DeliveryStatus, now: Instant) => {
  if (status === "FAILED" || status === "SKIPPED") return {}
  return {
    sentAt: sentAt ?? now,
    ...(status === "SENT" ? {} : { deliveredAt: deliveredAt ?? now }),
    ...(status === "READ" ? { readAt: readAt ?? now } : {})
  }
}

/** Its provider has said what became of it. */
const answered = ({ unanswered, ...delivery }: Delivery): Delivery => delivery

const isOurs = ({ isOurs, status }: DeliveryReport): boolean => isOurs === true || status === "SKIPPED"

/**
 * It was ended here as never handed over: no longer needed, or not sent in time. Its provider may have it all the same,
 * where the process that asked it died, or had not recorded the answer yet.
 */
const isEndedUnsent = ({ providerCode, status }: Delivery): boolean =>
  status === "SKIPPED" || (status === "FAILED" && providerCode === notSentInTime)

/** Whether a report of its provider would take it back to life, and have it paid once more. */
export const isGivenBack = (delivery: Delivery): boolean => isEndedUnsent(delivery) && delivery.price?.day != null

const moves = (delivery: Delivery, report: DeliveryReport): boolean =>
  isEndedUnsent(delivery) && !isOurs(report) && report.status !== "FAILED"
    ? advances("PENDING", report.status)
    : advances(delivery.status, report.status)

const apply = (delivery: Delivery, report: DeliveryReport, now: Instant): Delivery => {
  if (delivery.id !== report.deliveryId || !moves(delivery, report)) return delivery
  const code = isEndedUnsent(delivery) ? null : delivery.providerCode
  return {
    ...(isOurs(report) ? delivery : answered(delivery)),
    ...timesOf(delivery, report.status, now),
    status: report.status,
    providerId: report.providerId ?? delivery.providerId,
    providerCode: report.providerCode === null ? code : safeCode(report.providerCode)
  }
}

/** A message that was given back and that its provider has after all is paid once more, if that can be. */
const paidAgain = (before: Delivery, after: Delivery, till: Till): Delivery =>
  isGivenBack(before) && before.unanswered !== true && after.price !== undefined && !isEndedUnsent(after)
    ? { ...after, price: revivedPrice(after.price, till) }
    : after

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
 * Records what became of deliveries, in the order of the reports; a report that comes late, twice or out of order
 * changes nothing. A failure sends the code on the fallback channel at once, if that can be paid with what it gives back;
 * when nothing can arrive any more, the verification has FAILED.
 */
export const deliver = (
  { subject, verification }: Loaded,
  reports: ReadonlyArray<DeliveryReport>,
  fresh: { readonly eventId: string; readonly deliveryId: string },
  till: Till,
  done: Lease | null,
  now: Instant
): Decision<DeliverOutcome> => {
  const deliveries = verification.deliveries.map((delivery) =>
    paidAgain(
      delivery,
      reports.reduce((one, report) => apply(one, report, now), delivery),
      till
    )
  )
  if (deliveries.every((delivery, i) => delivery === verification.deliveries[i]))
    return unchanged({ _tag: "Unchanged" })
  let how: Told = done === null ? { at: now, by: "receipt" } : { at: now }
  const reported: Verification = { ...verification, deliveries }
  const failed = deliveries.some(
    ({ status }, i) => status === "FAILED" && verification.deliveries[i]!.status !== "FAILED"
  )
  const arrived = deliveries.some(({ status }) => status === "DELIVERED" || status === "READ")
  const left = afterwards(till, bookingsOf(verification, reported, now))
  if (failed && !arrived && canFallBack(reported, now)) {
    const fell = fallBack(reported, fresh.deliveryId, left, now)
    if (Result.isSuccess(fell)) {
      const { jobs, verification: next } = fell.success
      return {
        outcome: { _tag: "Advanced", verification: next },
        change: changeOf(verification, subject, next, how, { jobs, done })
      }
    }
    how = { ...how, unpaid: fell.failure }
  }
  const lost = failed && verification.status === "PENDING" && deliveries.every(dead)
  const next: Verification = lost ? { ...reported, status: "FAILED", undeliverable: true } : reported
  return {
    outcome: { _tag: "Advanced", verification: next },
    change: changeOf(verification, lost ? ended(subject, next.id) : subject, next, how, {
      events: lost ? [VerificationEvent.undeliverable(fresh.eventId, next, now)] : [],
      jobs: how.unpaid === undefined ? [] : lowJobs(left, [], now),
      done
    })
  }
}
