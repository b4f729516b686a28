import type { Delivery } from "../delivery/Delivery.ts"
import type { Lease, NewJob } from "../outbox/Job.ts"
import type { Instant } from "../time/Instant.ts"
import { changeOf } from "./VerificationChange.ts"
import { type Decision, unchanged } from "./Decision.ts"
import { type Fallback, hasCode, type Verification } from "./Verification.ts"
import { textOn } from "./texts.ts"
import { sendJob } from "./verificationJobs.ts"
import { whyNoFallback } from "./whyNoFallback.ts"
import type { Loaded } from "./VerificationStore.ts"

/** A resend gives the first channel its time again. */
export const restarted = (fallback: Fallback | null, now: Instant): Fallback | null =>
  fallback === null || fallback.used ? fallback : { ...fallback, dueAt: now + fallback.after }

/** Whether the code may still go out on the other channel: once, never where it has been, and never for nothing. */
export const canFallBack = (verification: Verification, now: Instant): boolean => {
  const why = whyNoFallback(verification, now)
  return why === null || why === "delivered before"
}

/** The same code or link on the other channel: the next state and its work. Ask `canFallBack` first. */
export const fallBack = (
  verification: Verification,
  deliveryId: string,
  now: Instant
): { readonly verification: Verification; readonly jobs: ReadonlyArray<NewJob> } => {
  const { deliveries, fallback } = verification
  if (fallback === null) return { verification, jobs: [] }
  const delivery: Delivery = {
    id: deliveryId,
    channel: fallback.channel,
    type: hasCode(verification) ? "OTP" : "LINK",
    status: "PENDING",
    attemptNumber: deliveries.length + 1,
    createdAt: now,
    options: {},
    ...textOn(verification.texts, fallback.channel),
    command: null,
    providerId: null,
    providerCode: null
  }
  const next: Verification = {
    ...verification,
    deliveries: [...deliveries, delivery],
    fallback: { ...fallback, used: true }
  }
  return { verification: next, jobs: [sendJob(next, delivery, false, now)] }
}

export type FallbackOutcome =
  | { readonly _tag: "FellBack"; readonly verification: Verification }
  /** The window was restarted meanwhile. */
  | { readonly _tag: "NotYet"; readonly dueAt: Instant }
  | { readonly _tag: "NotNeeded" }

/**
 * The first channel's time is over. `reports` tells which channels report receipts: on the others a message that was
 * taken counts as delivered.
 */
export const fallbackDue = (
  { subject, verification }: Loaded,
  reports: (delivery: Delivery) => boolean,
  fresh: { readonly deliveryId: string },
  done: Lease,
  now: Instant
): Decision<FallbackOutcome> => {
  const { deliveries, fallback } = verification
  if (fallback === null || !canFallBack(verification, now)) return unchanged({ _tag: "NotNeeded" })
  if (now < fallback.dueAt) return unchanged({ _tag: "NotYet", dueAt: fallback.dueAt })
  const latest = deliveries[deliveries.length - 1]!
  const arrived =
    latest.status === "DELIVERED" || latest.status === "READ" || (latest.status === "SENT" && !reports(latest))
  if (arrived) return unchanged({ _tag: "NotNeeded" })
  const { jobs, verification: next } = fallBack(verification, fresh.deliveryId, now)
  return {
    outcome: { _tag: "FellBack", verification: next },
    change: changeOf(verification, subject, next, { at: now }, { jobs, done })
  }
}
