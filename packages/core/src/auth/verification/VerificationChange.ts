import { bookingsOf } from "../../account/billing/bookingsOf.ts"
import { sendPolicies } from "../../foundation/delivery/SendPolicy.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import { leavesNothing, type Outgoing } from "../../foundation/outbox/Change.ts"
import { systemEnvironment } from "../../account/merchant/systemEnvironment.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { countedFacts } from "./countsOf.ts"
import { type ChangeCause, withSteps } from "./timelineSteps.ts"
import type { Subject } from "./Subject.ts"
import type { Verification } from "./Verification.ts"

/** What a decision about a person wants written. */
export type VerificationChange = Outgoing & {
  /** The person's next state, carrying the version that was loaded. */
  readonly subject: Subject
  /** A verification's next state, new or known; null when only the subject changes. */
  readonly verification: Verification | null
  /** From now on this reference of the merchant's backend means `verification`. What an app calls so is not one. */
  readonly orderId: string | null
  /** From now on this device is found as one of the person's. */
  readonly deviceId: string | null
}

/** The money that a change of a verification moves: what new messages take, and what those give back that have ended. */
export const bookingsOfDeliveries = (
  before: Verification | null,
  after: Verification,
  at: Instant
): ReadonlyArray<Booking> =>
  bookingsOf(before?.deliveries ?? [], after.deliveries, sendPolicies.code, ({ channel, id: item }) => ({
    environment: after.environment,
    reference: after.id,
    item,
    channel,
    at
  }))

/**
 * A person's and a verification's next states, with whatever else goes with them. `before` is the verification as it was
 * loaded, null when it is new: by the difference it is counted, paid and its steps are written, so no decision can forget to.
 */
export const changeOf = (
  before: Verification | null,
  subject: Subject,
  verification: Verification | null,
  how: ChangeCause | null,
  more: Partial<Omit<VerificationChange, "booked" | "subject" | "verification">> = {}
): VerificationChange => {
  // The sign-ins of the service's own people are nobody's statistics.
  const counted =
    systemEnvironment(subject.environment) === null ? countedFacts(before, verification, subject.version) : []
  const facts = more.facts === undefined ? counted : [...counted, ...more.facts]
  const next = verification === null || how === null ? verification : withSteps(before, verification, how)
  const booked =
    verification === null ? [] : bookingsOfDeliveries(before, verification, how?.at ?? verification.createdAt)
  return { subject, verification: next, orderId: null, deviceId: null, ...leavesNothing, ...more, facts, booked }
}
