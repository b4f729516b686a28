import type { Instant } from "../../foundation/time/Instant.ts"
import type { NoFallback } from "./TimelineStep.ts"
import { type AuthStatus, isOver, type Verification } from "./Verification.ts"

/**
 * Returns why the fallback does not send: it sends once, never on a channel already used, and never when it would be
 * useless. Null when it may send.
 */
export const whyNoFallback = (
  verification: Verification,
  now: Instant,
  status: AuthStatus = verification.status
): NoFallback | null => {
  const { attempts, deliveries, fallback, maxAttempts } = verification
  if (fallback === null) return "none set"
  if (fallback.used) return "already used"
  if (deliveries.some(({ channel }) => channel === fallback.channel)) return "had it already"
  if (status === "VERIFIED") return "verified"
  if (status === "FAILED") return "failed"
  if (status === "EXPIRED" || isOver(verification, now)) return "over"
  if (attempts >= maxAttempts) return "no attempts left"
  return deliveries.some((delivery) => delivery.status === "DELIVERED" || delivery.status === "READ")
    ? "delivered before"
    : null
}
