import { Result } from "effect"
import { lowJobs } from "../../account/billing/balanceLow.ts"
import type { Unpaid } from "../../account/billing/charge.ts"
import { afterwards, priceFrom, type Budget } from "../../account/billing/Budget.ts"
import { concernsCarrier } from "../../foundation/delivery/ChannelError.ts"
import { dead, isInDoubt } from "../../foundation/delivery/Delivery.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import type { Lease, NewJob } from "../../foundation/outbox/Job.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { bookingsOfDeliveries, changeOf } from "./VerificationChange.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { canBeSent, type Fallback, isLive, type Verification } from "./Verification.ts"
import { textOn } from "./texts.ts"
import { sendJob } from "./verificationJobs.ts"
import { whyNoFallback } from "./whyNoFallback.ts"
import type { VerificationStore } from "./VerificationStore.ts"

/** A resend restarts the first channel's time. */
export const restarted = (fallback: Fallback | null, now: Instant): Fallback | null =>
  fallback === null || fallback.used ? fallback : { ...fallback, dueAt: now + fallback.after }

/**
 * Returns whether the fallback may still send: once, never on a channel already used, and never when it would be
 * useless.
 */
export const canFallBack = (verification: Verification, now: Instant): boolean => {
  const why = whyNoFallback(verification, now)
  return (why === null || why === "delivered before") && canBeSent(verification)
}

/** Returns whether the budget covers the fallback message, including the refund of `instead`. */
export const isPayable = (verification: Verification, budget: Budget, instead?: VerificationDelivery): boolean => {
  const { deliveries, fallback, identity } = verification
  if (fallback === null) return false
  const withoutReplaced = deliveries.map((one) =>
    one.id === instead?.id ? { ...one, status: "FAILED" as const } : one
  )
  const budgetAfterRefund = afterwards(
    budget,
    bookingsOfDeliveries(verification, { ...verification, deliveries: withoutReplaced }, 0)
  )
  return Result.isSuccess(priceFrom(budgetAfterRefund, fallback.channel, identity.canonical))
}

interface SentAgain {
  readonly verification: Verification
  readonly jobs: ReadonlyArray<NewJob>
}

/**
 * Sends the same code or link in another message. Returns the next state and its jobs, or why the budget does not allow
 * it.
 */
const sendAgain = (
  verification: Verification,
  message: Pick<VerificationDelivery, "id" | "channel" | "options" | "avoid">,
  fallback: Fallback | null,
  budget: Budget,
  now: Instant
): Result.Result<SentAgain, Unpaid> => {
  const { deliveries, identity, texts } = verification
  const priced = priceFrom(budget, message.channel, identity.canonical)
  if (Result.isFailure(priced)) return Result.fail(priced.failure)
  const price = priced.success
  const delivery: VerificationDelivery = {
    ...message,
    type: verification.kind === "Link" ? "LINK" : "OTP",
    status: "PENDING",
    attemptNumber: deliveries.length + 1,
    createdAt: now,
    ...textOn(texts, message.channel),
    ...(price === null ? {} : { price }),
    command: null,
    providerId: null,
    providerCode: null
  }
  const next: Verification = { ...verification, deliveries: [...deliveries, delivery], fallback }
  const jobs = [
    sendJob(next, delivery, canFallBack(next, now), now),
    ...lowJobs(budget, bookingsOfDeliveries(verification, next, now), now)
  ]
  return Result.succeed({ verification: next, jobs })
}

/**
 * Sends the same code or link on the fallback channel. Returns the next state and its jobs, or why the budget does not
 * allow it. Call `canFallBack` first.
 */
export const fallBack = (
  verification: Verification,
  id: string,
  budget: Budget,
  now: Instant
): Result.Result<SentAgain, Unpaid> => {
  const { fallback } = verification
  return fallback === null
    ? Result.succeed({ verification, jobs: [] })
    : sendAgain(verification, { id, channel: fallback.channel, options: {} }, { ...fallback, used: true }, budget, now)
}

/** Whether a later message through another carrier is on its way or queued. */
export const isFollowedByOther = (
  { deliveries }: Verification,
  { attemptNumber, channel }: VerificationDelivery
): boolean =>
  deliveries.some((candidate) => {
    const isLater = candidate.attemptNumber > attemptNumber && candidate.channel === channel
    return isLater && candidate.avoid !== undefined && !dead(candidate)
  })

/**
 * Returns whether another carrier of the channel can send a failed message again. The failure must concern the carrier,
 * and `carriers` must hold one that has not tried the message.
 */
export const hasOtherCarrier = (
  verification: Verification,
  { avoid = [], because, carrier }: VerificationDelivery,
  carriers: ReadonlyArray<string>,
  now: Instant
): boolean =>
  carrier !== undefined &&
  concernsCarrier(because) &&
  isLive(verification, now) &&
  canBeSent(verification) &&
  carriers.some((each) => each !== carrier && !avoid.includes(each))

/** Sends a failed message again through another carrier. Call `hasOtherCarrier` first. */
export const sendByOtherCarrier = (
  verification: Verification,
  { avoid = [], carrier, channel, options }: VerificationDelivery,
  id: string,
  budget: Budget,
  now: Instant
): Result.Result<SentAgain, Unpaid> => {
  const tried = carrier === undefined ? avoid : [...avoid, carrier]
  return sendAgain(verification, { id, channel, options, avoid: tried }, verification.fallback, budget, now)
}

export type FallbackOutcome =
  | { readonly _tag: "FellBack"; readonly verification: Verification }
  /** A resend restarted the window in the meantime, or a relayed code may be on its way. */
  | { readonly _tag: "NotYet"; readonly dueAt: Instant }
  | { readonly _tag: "NotNeeded" }
  /** The budget does not allow it: everything continues as without a fallback. */
  | { readonly _tag: "Unpaid"; readonly why: Unpaid | "HOURLY_LIMIT" }

/**
 * Decides at the end of the first channel's time. `reports` tells which channels report receipts. On other channels, a
 * sent message counts as delivered.
 */
export const fallbackDue = (
  { subject, verification }: VerificationStore.Loaded,
  reports: (delivery: VerificationDelivery) => boolean,
  fresh: { readonly deliveryId: string },
  budget: Budget,
  done: Lease,
  now: Instant,
  /** Counts the message in the hourly budgets. False when they leave no room for it. */
  hasRoom = () => true
): Decision<FallbackOutcome> => {
  const { deliveries, fallback } = verification
  if (fallback === null || !canFallBack(verification, now)) return unchanged({ _tag: "NotNeeded" })
  // A `dueAt` more than `after` ahead means that the clock was set back, and this job with it. So the fallback is due.
  if (now < fallback.dueAt && fallback.dueAt - now <= fallback.after)
    return unchanged({ _tag: "NotYet", dueAt: fallback.dueAt })
  // A provider may have it, so the code must not go out again: only a receipt can tell. Check again after it.
  if (verification.kind === "Relayed" && deliveries.some(isInDoubt)) {
    return unchanged({ _tag: "NotYet", dueAt: now + fallback.after })
  }
  const latest = deliveries[deliveries.length - 1]!
  const arrived =
    latest.status === "DELIVERED" || latest.status === "READ" || (latest.status === "SENT" && !reports(latest))
  if (arrived) return unchanged({ _tag: "NotNeeded" })
  const fell = hasRoom()
    ? fallBack(verification, fresh.deliveryId, budget, now)
    : Result.fail<"HOURLY_LIMIT">("HOURLY_LIMIT")
  if (Result.isFailure(fell)) {
    const unpaid = fell.failure
    const jobs = lowJobs(budget, [], now)
    return {
      outcome: { _tag: "Unpaid", why: unpaid },
      change: changeOf(verification, subject, verification, { at: now, unpaid }, { jobs, done })
    }
  }
  const { jobs, verification: next } = fell.success
  return {
    outcome: { _tag: "FellBack", verification: next },
    change: changeOf(verification, subject, next, { at: now }, { jobs, done })
  }
}
