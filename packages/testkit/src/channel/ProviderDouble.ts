import type { Effect } from "effect"

/** How a provider's double treats send requests. */
export type Behaviour =
  /** Accepts it. */
  | "accepted"
  /** Refuses it permanently. */
  | "refused"
  /** Refuses it temporarily: 429, 503, 4xx in SMTP. */
  | "overloaded"
  /** Accepts it with an unreadable answer. */
  | "garbled"
  /** Reads the request and never answers. */
  | "hanging"
  /** Accepts it after a delay. */
  | "slow"

/** A send request to a double, accepted or not. */
export interface Seen {
  readonly to: string
  /** The whole request as received, including headers. */
  readonly raw: string
  /** The provider's id of the accepted message; null when it was not accepted. */
  readonly providerId: string | null
  /** The text that the recipient reads, when only the double can decode it. */
  readonly text?: string
}

/**
 * A stand-in for a provider that speaks its real protocol over a real socket on 127.0.0.1. `ChannelTest` and the
 * simulators drive providers through this.
 */
export interface ProviderDouble {
  /** Its address, in the form that the channel takes. */
  readonly url: string
  /** Applies from the next request. */
  readonly play: (behaviour: Behaviour) => Effect.Effect<void>
  /** All send requests so far, oldest first. A request is included before it is answered. */
  readonly seen: Effect.Effect<ReadonlyArray<Seen>>
  /** The retry delay of `overloaded`, if the protocol has one. */
  readonly retryAfterSeconds?: number
}
