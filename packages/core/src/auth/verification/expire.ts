import { dead, notSentInTime } from "../../foundation/delivery/Delivery.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { changeOf } from "./VerificationChange.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { ended } from "./Subject.ts"
import { awaitsExpiry, isOver, type OpenVerification, type Verification } from "./Verification.ts"
import * as VerificationEvent from "./VerificationEvent.ts"
import type { VerificationStore } from "./VerificationStore.ts"

export type ExpireOutcome = "Announced" | "Undelivered" | "NotYet" | "NotNeeded"

const isOnItsWay = ({ status }: VerificationDelivery) =>
  status === "SENT" || status === "DELIVERED" || status === "READ"

/** Whether the code or link that verified the person can only have come with this message. */
const broughtIt = ({ deliveries, status }: Verification, { id, unanswered }: VerificationDelivery): boolean =>
  status === "VERIFIED" &&
  unanswered === true &&
  deliveries.every((other) => other.id === id || (!isOnItsWay(other) && other.unanswered !== true))

/**
 * How a delivery ends that waits to be sent: SKIPPED when it is not needed any more, because the person is verified, has
 * no attempts left or got a later message; FAILED when its code has expired. One that its provider was asked to send and
 * never answered for may have been sent: it stays PENDING, or is SENT where the person can have the code from nowhere
 * else. Null while it is to be sent.
 */
export const endOfUnsent = (
  verification: Verification,
  delivery: VerificationDelivery,
  now: Instant
): "SKIPPED" | "FAILED" | "PENDING" | "SENT" | null => {
  const { deliveries, status } = verification
  const { attemptNumber, unanswered } = delivery
  const isReplaced = deliveries.some((other) => other.attemptNumber > attemptNumber && isOnItsWay(other))
  const isEnded = status === "VERIFIED" || status === "FAILED"
  if (!isEnded && !isReplaced && status === "PENDING" && !isOver(verification, now)) return null
  if (broughtIt(verification, delivery)) return "SENT"
  if (unanswered === true) return "PENDING"
  return isEnded || isReplaced ? "SKIPPED" : "FAILED"
}

/** A verification whose time is over: what was never sent has ended, and all of it has FAILED if nothing else lives. */
const overdue = (verification: OpenVerification, now: Instant): Verification => {
  const deliveries = verification.deliveries.map((delivery): VerificationDelivery => {
    const end = delivery.status === "PENDING" ? endOfUnsent(verification, delivery, now) : null
    if (end === "SKIPPED") return { ...delivery, status: end }
    return end === "FAILED" ? { ...delivery, status: end, providerCode: notSentInTime } : delivery
  })
  const lost = deliveries.some(({ status }) => status === "FAILED") && deliveries.every(dead)
  return { ...verification, deliveries, ...(lost ? { status: "FAILED", undeliverable: true } : {}) }
}

/**
 * A code's time is over and nobody had entered it: that is announced once. The verification stays PENDING until
 * somebody tries the code, so that they hear what happened. One whose code no provider ever took has FAILED instead,
 * whoever finds that first: this, somebody who tries the code, or its send that comes too late.
 */
export const expire = (
  { subject, verification }: VerificationStore.Loaded,
  eventId: string,
  now: Instant
): Decision<ExpireOutcome> => {
  if (!awaitsExpiry(verification)) return unchanged("NotNeeded")
  if (!isOver(verification, now)) return unchanged("NotYet")
  const over = overdue(verification, now)
  const next: Verification = { ...over, expiryAnnounced: true }
  const event = next.undeliverable ? VerificationEvent.undeliverable : VerificationEvent.expired
  return {
    outcome: next.undeliverable ? "Undelivered" : "Announced",
    change: changeOf(verification, ended(subject, next.id), next, { at: now }, { events: [event(eventId, next, now)] })
  }
}
