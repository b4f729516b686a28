import { type Backoff, backoff } from "../outbox/JobKind.ts"
import { type Instant, type Millis, seconds } from "../time/Instant.ts"
import type { ChannelError } from "./ChannelError.ts"

/**
 * The lane of messages that a resting provider does not keep at its gate: those that can still go another way, and those
 * that may go out by a merchant's own account.
 */
export const otherwise = "otherwise"

/** After 1, 2, 4, 8, 16, 20, 20 … seconds; those that failed together do not come back together. */
const spacing: Backoff = { first: seconds(1), most: seconds(20), spread: 0.2 }

/** What a send has been through before the try that has just ended. */
export interface Tried {
  readonly failures: number
  /** Whether nobody knew after an earlier try if the message had left. */
  readonly isUnanswered: boolean
}

export type SendVerdict =
  /** The provider would say the same again, or it would be too late. */
  | { readonly _tag: "Failed"; readonly providerCode: string }
  | { readonly _tag: "Again"; readonly at: Instant; readonly providerCode: string; readonly isUnanswered: boolean }
  /** It may be on its way. Its receipt will tell, or nobody will. */
  | { readonly _tag: "LeftOpen"; readonly isUnanswered: boolean }

/** Up to a fifth longer, by chance. */
const spread = (wait: Millis, chance: number): Millis => Math.ceil(wait * (1 + spacing.spread * chance))

/**
 * What follows a send that did not succeed, for every kind of message: a code, a link, a reply, a campaign. It is
 * pure: `chance`, from 0 to 1, spreads what failed together, and nothing is tried at `end` or later, when the message
 * is of no use any more.
 */
export const afterError = (
  { reason }: ChannelError,
  { failures, isUnanswered: before }: Tried,
  chance: number,
  now: Instant,
  end: Instant
): SendVerdict => {
  const { providerCode } = reason
  if (reason._tag === "Refused") return { _tag: "Failed", providerCode }
  const unknown = reason._tag === "OutcomeUnknown"
  const isUnanswered = before || unknown
  // Without an answer it is repeated once, for it carries the same message.
  if (unknown && before) return { _tag: "LeftOpen", isUnanswered }
  const wish = reason._tag === "Unavailable" ? seconds(reason.retryAfterSeconds ?? 0) : 0
  const at = now + spread(Math.max(backoff({ ...spacing, spread: 0 }, failures, 0), wish), chance)
  if (at < end) return { _tag: "Again", at, providerCode, isUnanswered }
  return isUnanswered ? { _tag: "LeftOpen", isUnanswered } : { _tag: "Failed", providerCode }
}

/** When a message that a resting provider turned away may go: the rest may end for all at once, so with some spread. */
export const afterRest = (until: Instant, chance: number, now: Instant): Instant => now + spread(until - now, chance)
