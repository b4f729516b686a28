import { type Change, leavesNothing } from "../outbox/Change.ts"
import { bookingsOf } from "./bookingsOf.ts"
import { countedFacts } from "./countsOf.ts"
import { type Told, told } from "./story.ts"
import type { Subject } from "./Subject.ts"
import type { Verification } from "./Verification.ts"

/** What a decision about a person wants written. */
export type VerificationChange = Change<{
  /** The person's next state, carrying the version that was loaded. */
  readonly subject: Subject
  /** A verification's next state, new or known; null when only the subject changes. */
  readonly verification: Verification | null
  /** From now on this reference of the merchant's backend means `verification`. What an app calls so is not one. */
  readonly orderId: string | null
  /** From now on this device is found as one of the person's. */
  readonly deviceId: string | null
}>

/**
 * A person's and a verification's next states, with whatever else goes with them. `before` is the verification as it was
 * loaded, null when it is new: by the difference it is counted, paid and its story told, so no decision can forget to.
 */
export const changeOf = (
  before: Verification | null,
  subject: Subject,
  verification: Verification | null,
  how: Told | null,
  more: Partial<Omit<VerificationChange, "booked" | "subject" | "verification">> = {}
): VerificationChange => {
  const counted = countedFacts(before, verification, subject.version)
  const facts = more.facts === undefined ? counted : [...counted, ...more.facts]
  const next = verification === null || how === null ? verification : told(before, verification, how)
  const booked = verification === null ? [] : bookingsOf(before, verification, how?.at ?? verification.createdAt)
  return { subject, verification: next, orderId: null, deviceId: null, ...leavesNothing, ...more, facts, booked }
}
