import type { Effect } from "effect"

/** A person that a double knows. */
export interface Person {
  /** E.164 digits; null for a profile without a number. */
  readonly phone: string | null
  /** Whether the provider has verified the number; true by default. */
  readonly isVerified?: boolean
}

/** How a provider's double treats later requests. */
export type VerifierBehaviour =
  /** Answers truthfully. */
  | "accepted"
  /** Refuses every code. */
  | "refused"
  /** Does not know our account. */
  | "unknownAccount"
  /** 429 with a retry delay. */
  | "overloaded"
  /** 503. */
  | "unavailable"
  /** 500, before it checks the code. */
  | "broken"
  /** 500, after it used up the code. */
  | "brokenAfter"
  /**
   * Accepts the code, and fails at the request for the number. For a provider with a single request, the same as
   * `brokenAfter`.
   */
  | "brokenLater"
  /** Accepts with an unreadable answer. */
  | "garbled"
  /** The same, at its last answer. */
  | "garbledLater"
  /** Reads the request and closes the connection. */
  | "slam"
  /** Reads the request and never answers. */
  | "hanging"
  /** Answers after a delay. */
  | "slow"
  /** Puts 64 MB before a valid answer. */
  | "huge"
  /** Redirects to another host, with a status that carries the request along. */
  | { readonly redirect: string }

/**
 * A stand-in for a provider that verifies numbers. It speaks the provider's real protocol over a socket on 127.0.0.1.
 */
export interface VerifierDouble {
  /** Its address, in the form that the verifier takes. */
  readonly url: string
  /**
   * Simulates a person's consent in the provider's app. Returns the proof that the app gets, valid once. A verifier with
   * a start has begun the verification of the person's number: the phone opens its address over mobile data.
   */
  readonly consent: (person: Person, url?: string) => Effect.Effect<{ readonly [field: string]: string }>
  /** Applies from the next request. */
  readonly play: (behaviour: VerifierBehaviour) => Effect.Effect<void>
  /** Every request so far as it came over the wire, oldest first. */
  readonly seen: Effect.Effect<ReadonlyArray<string>>
  /** The private data it returned so far: tokens, names, addresses. */
  readonly secrets: Effect.Effect<ReadonlyArray<string>>
  /**
   * True when a proof is checked without the provider, such as a signed token: the requests are for public keys only,
   * every proven number is verified, and core accepts a proof once by its `once`.
   */
  readonly isOffline?: boolean
  /** The retry delay of `overloaded`, if the protocol has one. */
  readonly retryAfterSeconds?: number
}
