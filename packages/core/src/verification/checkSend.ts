import { Result } from "effect"
import type { ChannelName } from "../delivery/ChannelName.ts"
import type { ChannelState } from "../delivery/Senders.ts"
import type { Instant } from "../time/Instant.ts"
import { canFallBack } from "./fallback.ts"
import type { Verification } from "./Verification.ts"
import { ProviderUnavailable, TemplateUnusable } from "./VerificationError.ts"

/**
 * Whether the message that a verification is about to send can go: one that cannot work now is refused now, unless the
 * fallback's channel takes its place. `unusable` is why the merchant's own words for it cannot be sent.
 */
export const checkSend = (
  verification: Verification,
  unusable: TemplateUnusable | null,
  stateOf: (channel: ChannelName) => ChannelState | null,
  now: Instant
): Result.Result<void, TemplateUnusable | ProviderUnavailable> => {
  const { channel, deliveries, fallback, status } = verification
  if (status !== "PENDING") return Result.void
  if (unusable !== null) return Result.fail(unusable)
  const state = stateOf(channel)
  if (state === null || state._tag === "Working") return Result.void
  // The provider finds fault with the channel's own template, and this goes out in another.
  if (state._tag === "TemplateFault" && deliveries.at(-1)?.text !== undefined) return Result.void
  if (canFallBack(verification, now) && fallback !== null && stateOf(fallback.channel)?._tag === "Working") {
    return Result.void
  }
  return Result.fail(
    state._tag === "TemplateFault"
      ? new TemplateUnusable({ channel, fault: state.fault })
      : new ProviderUnavailable({ channel, retryAfterSeconds: Math.max(1, Math.ceil((state.until - now) / 1000)) })
  )
}
