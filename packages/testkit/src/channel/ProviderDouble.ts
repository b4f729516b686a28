import type { Effect } from "effect"

/** How a provider's double treats what it is asked to send. */
export type Behaviour =
  /** Takes it. */
  | "accepted"
  /** Says no, for good. */
  | "refused"
  /** Says that it cannot now: 429, 503, 4xx in SMTP. */
  | "overloaded"
  /** Says yes in words that nobody can read. */
  | "garbled"
  /** Reads the request and never answers. */
  | "hanging"
  /** Takes it, after a while. */
  | "slow"

/** Something that a double was asked to send, taken or not. */
export interface Seen {
  readonly to: string
  /** The whole request as it came over the wire, headers included. */
  readonly raw: string
  /** The name under which the provider took it; null when it did not. */
  readonly providerId: string | null
  /** What the person would read, when the wire wraps it so that only the double can tell. */
  readonly text?: string
}

/**
 * A stand-in for a provider that speaks its real protocol over a real socket on 127.0.0.1. `ChannelTest` and the
 * simulators drive providers through this.
 */
export interface ProviderDouble {
  /** Where it listens, in the form that the channel takes. */
  readonly url: string
  /** From the next request on. */
  readonly play: (behaviour: Behaviour) => Effect.Effect<void>
  /** Everything it was asked to send so far, oldest first. A request is here before it is answered. */
  readonly seen: Effect.Effect<ReadonlyArray<Seen>>
  /** The wish that goes with `overloaded`, if the protocol has one. */
  readonly retryAfterSeconds?: number
}
