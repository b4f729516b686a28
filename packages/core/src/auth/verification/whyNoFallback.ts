import type { Instant } from "../../foundation/time/Instant.ts"
import type { NoFallback } from "./TimelineStep.ts"
import { type AuthStatus, isOver, type Verification } from "./Verification.ts"

/**
 * Why the code does not go out on the other channel: it does so once, never where it has been, and never for nothing.
 * Null when it may.
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
