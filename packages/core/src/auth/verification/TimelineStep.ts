import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Millis } from "../../foundation/time/Instant.ts"

/** Why a message does not go out on another channel. */
export type NoFallback =
  /** No fallback channel is set, or it cannot reach this identity. */
  | "none set"
  | "already used"
  /** The fallback channel was already used for a send. */
  | "had it already"
  | "delivered before"
  | "verified"
  | "failed"
  | "over"
  | "no attempts left"
  /** The budget does not allow it: the channel has no price, the balance is too low, or the day's cap is reached. */
  | "no price"
  | "no balance"
  | "cap reached"
  /** A budget of messages an hour is used up. */
  | "limit reached"

/**
 * A step that the rest of a verification's state does not show. A verification without problems has no steps. The first
 * number is the milliseconds since its start; `n` counts its messages from 1.
 */
export type TimelineStep =
  /** A wrong code, and the attempts left. */
  | readonly [ms: Millis, what: "wrong", left: number]
  /** A code that came after expiry. */
  | readonly [ms: Millis, what: "late"]
  /** A try after the last attempt: the verification has FAILED. */
  | readonly [ms: Millis, what: "used up"]
  /** A wrong number, or another person's number: the verification has FAILED. */
  | readonly [ms: Millis, what: "mistaken"]
  | readonly [ms: Millis, what: "resent", channel: ChannelName]
  /** A carrier did not take the message: its error code, and when the message is sent again. */
  | readonly [ms: Millis, what: "tried", n: number, code: string, again: Millis | null, carrier?: string]
  /** A message FAILED, before a provider had it or by its receipt. */
  | readonly [ms: Millis, what: "unsent" | "bounced", n: number]
  | readonly [ms: Millis, what: "skipped", n: number]
  | readonly [ms: Millis, what: "fallback", n: number, after: "failed" | "silent"]
  /** Another carrier of the channel sends a message that failed. */
  | readonly [ms: Millis, what: "next carrier", n: number]
  | readonly [ms: Millis, what: "no fallback", why: NoFallback]
  /** The verification expired, and the expiry was announced. */
  | readonly [ms: Millis, what: "over"]
  /** No message could be delivered: the verification has FAILED. */
  | readonly [ms: Millis, what: "undeliverable"]
  /** The number of steps left out here. */
  | readonly [ms: Millis, what: "left out", count: number]
