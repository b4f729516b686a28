import { dead, isInDoubt, notSentInTime } from "../../foundation/delivery/Delivery.ts"
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

/** Whether only this message can have brought the code or link that verified the person. */
const broughtIt = ({ deliveries, status }: Verification, { id, unanswered }: VerificationDelivery): boolean =>
  status === "VERIFIED" &&
  unanswered === true &&
  deliveries.every((other) => other.id === id || (!isOnItsWay(other) && other.unanswered !== true))

/**
 * Returns how a delivery that waits to be sent ends, or null while it must still be sent.
 *
 * - SKIPPED: not needed any more, because the person is verified, has no attempts left, or got a later message.
 * - FAILED: the code has expired.
 * - PENDING: the provider never answered the send, so the message may be on its way.
 * - SENT: the provider never answered, but the person was verified and no other message can have brought the code.
 */
export const endOfUnsent = (
  verification: Verification,
  delivery: VerificationDelivery,
  now: Instant
): "SKIPPED" | "FAILED" | "PENDING" | "SENT" | null => {
  const { deliveries, status } = verification
  const { attemptNumber } = delivery
  const isReplaced = deliveries.some((other) => other.attemptNumber > attemptNumber && isOnItsWay(other))
  const isEnded = status === "VERIFIED" || status === "FAILED"
  if (!isEnded && !isReplaced && status === "PENDING" && !isOver(verification, now)) return null
  if (broughtIt(verification, delivery)) return "SENT"
  if (isInDoubt(delivery)) return "PENDING"
  return isEnded || isReplaced ? "SKIPPED" : "FAILED"
}

/** Ends the unsent messages of an expired verification. The verification has FAILED if no other message can arrive. */
const overdue = (verification: OpenVerification, now: Instant): Verification => {
  const deliveries = verification.deliveries.map((delivery): VerificationDelivery => {
    const end = delivery.status === "PENDING" ? endOfUnsent(verification, delivery, now) : null
    if (end === "SKIPPED") return { ...delivery, status: end }
    return end === "FAILED" ? { ...delivery, status: end, providerCode: notSentInTime } : delivery
  })
  const lost = deliveries.some(({ status }) => status === "FAILED") && deliveries.every(dead)
  return { ...verification, deliveries, ...(lost ? { status: "FAILED", undeliverable: true } : {}) }
}

/** A relayed code expires without an event: whether it was typed is known elsewhere. */
const eventsOf = (eventId: string, next: Verification, now: Instant) => {
  if (next.kind === "Relayed") return next.undeliverable ? [VerificationEvent.updated(eventId, next, now)] : []
  return [(next.undeliverable ? VerificationEvent.undeliverable : VerificationEvent.expired)(eventId, next, now)]
}

/**
 * Announces once that a verification expired without a correct code. It stays PENDING until a person tries the code, so
 * that they learn why it failed.
 *
 * If no provider ever took the code, the verification has FAILED instead. The first of these detects it: this expiry,
 * an entered code, or the late send.
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
  return {
    outcome: next.undeliverable ? "Undelivered" : "Announced",
    change: changeOf(verification, ended(subject, next.id), next, { at: now }, { events: eventsOf(eventId, next, now) })
  }
}
