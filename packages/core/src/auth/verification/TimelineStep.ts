import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Millis } from "../../foundation/time/Instant.ts"

/** Why a message does not go out on another channel. */
export type NoFallback =
  /** No channel is set for it, or the one that is cannot reach this identity. */
  | "none set"
  | "already used"
  /** The channel has been sent to. */
  | "had it already"
  | "delivered before"
  | "verified"
  | "failed"
  | "over"
  | "no attempts left"
  /** It could not be paid: the channel has no price, the balance did not reach, or the day's cap was reached. */
  | "no price"
  | "no balance"
  | "cap reached"

/**
 * Something that happened and that the rest of a verification's state does not say: so one that goes well has none. The
 * first number is the milliseconds since its start; `n` counts its messages from 1.
 */
export type TimelineStep =
  /** A wrong code; what is left. */
  | readonly [ms: Millis, what: "wrong", left: number]
  /** A code that came when its time was over. */
  | readonly [ms: Millis, what: "late"]
  /** A try after the last: it has FAILED. */
  | readonly [ms: Millis, what: "used up"]
  /** The wrong number, or somebody else's: it has FAILED. */
  | readonly [ms: Millis, what: "mistaken"]
  | readonly [ms: Millis, what: "resent", channel: ChannelName]
  /** A carrier was asked in vain: what it said, and when the message is sent again. */
  | readonly [ms: Millis, what: "tried", n: number, code: string, again: Millis | null, carrier?: string]
  /** A message FAILED: before a provider had it, or by its receipt. */
  | readonly [ms: Millis, what: "unsent" | "bounced", n: number]
  | readonly [ms: Millis, what: "skipped", n: number]
  | readonly [ms: Millis, what: "fallback", n: number, after: "failed" | "silent"]
  /** A message that failed goes out again by another carrier of its channel. */
  | readonly [ms: Millis, what: "next carrier", n: number]
  | readonly [ms: Millis, what: "no fallback", why: NoFallback]
  /** Its time was over, and that was announced. */
  | readonly [ms: Millis, what: "over"]
  /** No message could be delivered: it has FAILED. */
  | readonly [ms: Millis, what: "undeliverable"]
  /** So many steps were left out here. */
  | readonly [ms: Millis, what: "left out", count: number]
