import { bookingsOf } from "../../account/billing/bookingsOf.ts"
import { type SendPolicy, sendPolicies } from "../../foundation/delivery/SendPolicy.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import { noRecords, type Outgoing } from "../../foundation/outbox/Change.ts"
import { systemEnvironment } from "../../account/merchant/systemEnvironment.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { countedFacts } from "./countsOf.ts"
import { type ChangeCause, withSteps } from "./timelineSteps.ts"
import type { Subject } from "./Subject.ts"
import { type Verification, withoutSpentCode } from "./Verification.ts"

/** The records that a decision about one person writes in one commit. */
export type VerificationChange = Outgoing & {
  /** The person's next state, with the version that was loaded. */
  readonly subject: Subject
  /** The next state of a new or existing verification. Null when only the subject changes. */
  readonly verification: Verification | null
  /**
   * Makes `verification` the one that lookups by this `orderId` find. Null changes no lookup. An app's `orderId` never
   * becomes a lookup key, because anyone can call with the public key.
   */
  readonly orderId: string | null
  /** Makes lookups by this device id find the person. Null changes no lookup. */
  readonly deviceId: string | null
}

/** The policy of a verification's messages. */
export const policyOf = ({ kind }: Pick<Verification, "kind">): SendPolicy =>
  kind === "Relayed" ? sendPolicies.relayed : sendPolicies.code

/**
 * The bookings for a change to a verification: charges for new messages, and refunds for failed or skipped messages.
 */
export const bookingsOfDeliveries = (
  before: Verification | null,
  after: Verification,
  at: Instant
): ReadonlyArray<Booking> =>
  bookingsOf(before?.deliveries ?? [], after.deliveries, policyOf(after), ({ channel, id: item }) => ({
    environment: after.environment,
    reference: after.id,
    item,
    channel,
    at
  }))

/**
 * Builds a change to a person and a verification. `before` is the verification as loaded, or null when it is new.
 * Counts, bookings and timeline steps are derived from the difference, so a decision cannot forget them.
 */
export const changeOf = (
  before: Verification | null,
  subject: Subject,
  verification: Verification | null,
  cause: ChangeCause | null,
  extra: Partial<Omit<VerificationChange, "booked" | "subject" | "verification">> = {}
): VerificationChange => {
  // Statistics exclude the service's own environments, which verify people who sign in to the service.
  const counted =
    systemEnvironment(subject.environment) === null ? countedFacts(before, verification, subject.version) : []
  const facts = extra.facts === undefined ? counted : [...counted, ...extra.facts]
  const kept = verification === null ? null : withoutSpentCode(verification)
  const next = kept === null || cause === null ? kept : withSteps(before, kept, cause)
  const booked =
    verification === null ? [] : bookingsOfDeliveries(before, verification, cause?.at ?? verification.createdAt)
  return { subject, verification: next, orderId: null, deviceId: null, ...noRecords, ...extra, facts, booked }
}
