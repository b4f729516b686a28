import type { Instant } from "../time/Instant.ts"
import { changeOf } from "./VerificationChange.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { ended } from "./Subject.ts"
import { awaitsExpiry } from "./Verification.ts"
import * as VerificationEvent from "./VerificationEvent.ts"
import type { Loaded } from "./VerificationStore.ts"

export type ExpireOutcome = "Announced" | "NotYet" | "NotNeeded"

/**
 * A code's time is over and nobody had entered it: that is announced once. The verification stays PENDING until
 * somebody tries the code, so that they hear what happened.
 */
export const expire = ({ subject, verification }: Loaded, eventId: string, now: Instant): Decision<ExpireOutcome> => {
  if (!awaitsExpiry(verification)) return unchanged("NotNeeded")
  if (now < verification.expiresAt) return unchanged("NotYet")
  const next = { ...verification, expiryAnnounced: true }
  return {
    outcome: "Announced",
    change: changeOf(ended(subject, next.id), next, { events: [VerificationEvent.expired(eventId, next, now)] })
  }
}
