import { Result } from "effect"
import type { Budget } from "../../account/billing/Budget.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { ChannelState } from "../../message/sending/Senders.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { canFallBack, isPayable } from "./fallback.ts"
import type { Verification } from "./Verification.ts"
import { ProviderUnavailable, TemplateUnusable } from "./VerificationError.ts"

/** What is known where a verification is about to send a message. */
export interface SendView {
  readonly verification: Verification
  readonly budget: Budget
  readonly stateOf: (channel: ChannelName) => ChannelState | null
  readonly now: Instant
}

/** Whether the fallback's channel can take the place of one that cannot work now. */
const isReplaced = ({ now, stateOf, budget, verification }: SendView): boolean => {
  const { fallback } = verification
  return (
    canFallBack(verification, now) &&
    fallback !== null &&
    stateOf(fallback.channel)?._tag === "Working" &&
    isPayable(verification, budget)
  )
}

/**
 * Whether the message can be said. `unusable` is why the merchant's own words for it cannot be; without such, the channel's
 * own template may be one that its provider finds fault with.
 */
export const checkWords = (
  view: SendView,
  unusable: TemplateUnusable | null
): Result.Result<void, TemplateUnusable> => {
  const { channel, deliveries, status } = view.verification
  if (status !== "PENDING") return Result.void
  if (unusable !== null) return Result.fail(unusable)
  const state = view.stateOf(channel)
  if (state?._tag !== "TemplateFault" || deliveries.at(-1)?.text !== undefined || isReplaced(view)) return Result.void
  return Result.fail(new TemplateUnusable({ channel, fault: state.fault }))
}

/** Whether its provider works: what cannot be sent now is refused now, unless another channel takes its place. */
export const checkProvider = (view: SendView): Result.Result<void, ProviderUnavailable> => {
  const { channel, status } = view.verification
  const state = view.stateOf(channel)
  if (status !== "PENDING" || state?._tag !== "Resting" || isReplaced(view)) return Result.void
  const retryAfterSeconds = Math.max(1, Math.ceil((state.until - view.now) / 1000))
  return Result.fail(new ProviderUnavailable({ channel, retryAfterSeconds }))
}
