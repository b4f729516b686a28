import { Result } from "effect"
import type { Budget } from "../../account/billing/Budget.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { ChannelState } from "../../message/sending/Senders.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { canFallBack, isPayable } from "./fallback.ts"
import type { Verification } from "./Verification.ts"
import { ProviderUnavailable, TemplateUnusable } from "./VerificationError.ts"

/** The state that the checks of a send need. */
export interface SendView {
  readonly verification: Verification
  readonly budget: Budget
  readonly stateOf: (channel: ChannelName) => ChannelState | null
  readonly now: Instant
}

/** Whether the fallback channel can replace a channel that cannot work now. */
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
 * Checks that the message has usable text. `unusable` says why the merchant's own template cannot be used. When it is
 * null, fails if the provider rejects the channel's own template.
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

/** Checks that the provider works. Refuses a message that cannot be sent now, unless another channel can replace it. */
export const checkProvider = (view: SendView): Result.Result<void, ProviderUnavailable> => {
  const { channel, status } = view.verification
  const state = view.stateOf(channel)
  if (status !== "PENDING" || state?._tag !== "Resting" || isReplaced(view)) return Result.void
  const retryAfterSeconds = Math.max(1, Math.ceil((state.until - view.now) / 1000))
  return Result.fail(new ProviderUnavailable({ channel, retryAfterSeconds }))
}
