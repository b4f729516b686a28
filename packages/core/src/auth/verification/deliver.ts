import { Result } from "effect"
import { afterwards, type Budget } from "../../account/billing/Budget.ts"
import { lowJobs } from "../../account/billing/balanceLow.ts"
import { paidAgain } from "../../account/billing/bookingsOf.ts"
import { advance, type DeliveryNews } from "../../message/sending/advance.ts"
import type { SendTry } from "../../message/sending/afterSend.ts"
import { dead } from "../../foundation/delivery/Delivery.ts"
import { safeCode } from "../../message/sending/safeCode.ts"
import type { Lease } from "../../foundation/outbox/Job.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { bookingsOfDeliveries, changeOf, policyOf } from "./VerificationChange.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { canFallBack, fallBack, hasOtherCarrier, isFollowedByOther, sendByOtherCarrier } from "./fallback.ts"
import type { TimelineStep } from "./TimelineStep.ts"
import { appendSteps, type ChangeCause } from "./timelineSteps.ts"
import { ended } from "./Subject.ts"
import type { Verification } from "./Verification.ts"
import { type VerificationDelivery, withTimes } from "./VerificationDelivery.ts"
import * as VerificationEvent from "./VerificationEvent.ts"
import type { VerificationStore } from "./VerificationStore.ts"

/** News about one delivery, from the send itself or from the provider's receipt. */
export interface DeliveryReport extends DeliveryNews {
  readonly deliveryId: string
}

export type DeliverOutcome =
  | { readonly _tag: "Advanced"; readonly verification: Verification }
  /** The verification has no such delivery, or the delivery did not change. */
  | { readonly _tag: "Unchanged" }

/** Adds a timeline step for each carrier that did not take the message. */
const withTries = (
  { createdAt, story }: Verification,
  { attemptNumber }: VerificationDelivery,
  tries: ReadonlyArray<SendTry>
): Pick<Verification, "story"> =>
  tries.length === 0
    ? {}
    : {
        story: appendSteps(
          story,
          tries.map(({ again, at, carrier, providerCode }): TimelineStep => {
            const wait = again === null ? null : again - createdAt
            const step = [at - createdAt, "tried", attemptNumber, safeCode(providerCode), wait] as const
            return carrier === undefined ? step : [...step, carrier]
          })
        )
      }

/** Returns a delivery after reports about it, with the time of each new state. Null when they change nothing. */
export const advanced = (
  delivery: VerificationDelivery,
  news: ReadonlyArray<DeliveryNews>,
  now: Instant
): VerificationDelivery | null => {
  const next = advance(delivery, news, now)
  return next === null || next.status === delivery.status ? next : withTimes(next, next.status, now)
}

/** Records tries that did not end a delivery. `next` says whether the message may be on its way. */
export const triedInVain = (
  { subject, verification }: VerificationStore.Loaded,
  next: VerificationDelivery,
  tries: ReadonlyArray<SendTry>,
  now: Instant
): Decision<DeliverOutcome> => {
  const deliveries = verification.deliveries.map((delivery) => (delivery.id === next.id ? next : delivery))
  const after: Verification = { ...verification, deliveries, ...withTries(verification, next, tries) }
  return {
    outcome: { _tag: "Advanced", verification: after },
    change: changeOf(verification, subject, after, { at: now })
  }
}

/** The input of `afterDelivery` apart from the states. */
export interface DeliverContext {
  /** Ids for the records that the step may create. */
  readonly fresh: { readonly eventId: string; readonly deliveryId: string }
  readonly budget: Budget
  /** The job that ends with this step; null for a receipt. */
  readonly done: Lease | null
  /** The tries of carriers that did not take the message. */
  readonly tries?: ReadonlyArray<SendTry>
  /** The carriers that can take the recipient's messages on this channel. Called only after a failure. */
  readonly carriers?: () => ReadonlyArray<string>
  /** Counts the fallback's message in the hourly budgets. False when they leave no room for it. */
  readonly hasRoom?: () => boolean
}

/** Drops a relayed code with the send after which no other way is left: no carrier, and no fallback. */
const withoutLastCode = (
  verification: Verification,
  { avoid = [], carrier }: VerificationDelivery,
  carriers: () => ReadonlyArray<string>
): Verification => {
  if (verification.kind !== "Relayed" || verification.sealedCode === null) return verification
  const { deliveries, fallback } = verification
  const mayFallBack =
    fallback !== null && !fallback.used && deliveries.every(({ channel }) => channel !== fallback.channel)
  const isLast =
    !mayFallBack &&
    deliveries.every(({ status }) => status !== "PENDING") &&
    carriers().every((each) => each === carrier || avoid.includes(each))
  return isLast ? { ...verification, sealedCode: null } : verification
}

/** The event of a relayed code, for each new status. */
const updatedEvents = (
  eventId: string,
  after: Verification,
  previous: VerificationDelivery,
  { status }: VerificationDelivery,
  now: Instant
) => (after.kind === "Relayed" && status !== previous.status ? [VerificationEvent.updated(eventId, after, now)] : [])

/**
 * Stores a delivery that news has moved to `next`.
 *
 * A failure immediately sends the code through the next carrier or the fallback channel, never both, if the budget with
 * the refund allows it. When no message can arrive any more, the verification has FAILED.
 */
export const afterDelivery = (
  { subject, verification }: VerificationStore.Loaded,
  next: VerificationDelivery,
  { carriers = () => [], done, fresh, hasRoom = () => true, budget, tries = [] }: DeliverContext,
  now: Instant
): Decision<DeliverOutcome> => {
  const previous = verification.deliveries.find(({ id }) => id === next.id)
  if (previous === undefined || previous === next) return unchanged({ _tag: "Unchanged" })
  const deliveries = verification.deliveries.map((delivery) => (delivery === previous ? next : delivery))
  let cause: ChangeCause = done === null ? { at: now, by: "receipt" } : { at: now }
  const told: Verification = { ...verification, deliveries, ...withTries(verification, next, tries) }
  const reported = next.status === "SENT" ? withoutLastCode(told, next, carriers) : told
  const failed = next.status === "FAILED" && previous.status !== "FAILED"
  const arrived = deliveries.some(({ status }) => status === "DELIVERED" || status === "READ")
  const budgetLeft = afterwards(budget, bookingsOfDeliveries(verification, reported, now))
  // One new message replaces all those that the same carrier failed to deliver.
  const needsResend = failed && !arrived && !isFollowedByOther(reported, next)
  const byOther = needsResend && done === null && hasOtherCarrier(reported, next, carriers(), now)
  if (byOther || (needsResend && canFallBack(reported, now))) {
    const sent = byOther
      ? sendByOtherCarrier(reported, next, fresh.deliveryId, budgetLeft, now)
      : hasRoom()
        ? fallBack(reported, fresh.deliveryId, budgetLeft, now)
        : Result.fail<"HOURLY_LIMIT">("HOURLY_LIMIT")
    if (Result.isSuccess(sent)) {
      const { jobs, verification: sentAgain } = sent.success
      return {
        outcome: { _tag: "Advanced", verification: sentAgain },
        change: changeOf(verification, subject, sentAgain, cause, {
          events: updatedEvents(fresh.eventId, sentAgain, previous, next, now),
          jobs,
          done
        })
      }
    }
    cause = { ...cause, unpaid: sent.failure }
  }
  const lost = failed && reported.status === "PENDING" && deliveries.every(dead)
  const after: Verification = lost ? { ...reported, status: "FAILED", undeliverable: true } : reported
  return {
    outcome: { _tag: "Advanced", verification: after },
    change: changeOf(verification, lost ? ended(subject, after.id) : subject, after, cause, {
      events:
        after.kind === "Relayed"
          ? updatedEvents(fresh.eventId, after, previous, next, now)
          : lost
            ? [VerificationEvent.undeliverable(fresh.eventId, after, now)]
            : [],
      jobs: cause.unpaid === undefined ? [] : lowJobs(budgetLeft, [], now),
      done
    })
  }
}

/** Applies reports about one delivery, in order. A late, repeated or out-of-order report changes nothing. */
export const deliver = (
  loaded: VerificationStore.Loaded,
  reports: ReadonlyArray<DeliveryReport>,
  fresh: { readonly eventId: string; readonly deliveryId: string },
  budget: Budget,
  done: Lease | null,
  now: Instant
): Decision<DeliverOutcome> => {
  const delivery = loaded.verification.deliveries.find(({ id }) => id === reports[0]?.deliveryId)
  const next = delivery === undefined ? null : advanced(delivery, reports, now)
  if (delivery === undefined || next === null) return unchanged({ _tag: "Unchanged" })
  return afterDelivery(
    loaded,
    paidAgain(delivery, next, policyOf(loaded.verification), budget),
    { fresh, budget, done },
    now
  )
}
