import type { Effect } from "effect"

/** A person that a double knows. */
export interface Person {
  /** E.164 digits; null for a profile without a number. */
  readonly phone: string | null
  /** Whether the provider has verified the number; true by default. */
  readonly isVerified?: boolean
}

/** How a provider's double treats questions from now on. */
export type VerifierBehaviour =
  /** Answers as it knows. */
  | "accepted"
  /** Takes no code. */
  | "refused"
  /** Does not know our account. */
  | "unknownAccount"
  /** Says that it cannot now, and when to come again: 429. */
  | "overloaded"
  /** 503. */
  | "unavailable"
  /** 500, before it looked at the code. */
  | "broken"
  /** 500, after it used the code up. */
  | "brokenAfter"
  /** Takes the code, and breaks when it is asked whose number it is; for a provider with one question, the same as the last. */
  | "brokenLater"
  /** Says yes in words that nobody can read. */
  | "garbled"
  /** The same, at its last answer. */
  | "garbledLater"
  /** Reads the question and closes the connection. */
  | "slam"
  /** Reads the question and never answers. */
  | "hanging"
  /** Answers, after a while. */
  | "slow"
  /** Puts 64 MB before an answer that would be good. */
  | "huge"
  /** Points to another host, with a status that would take the question along. */
  | { readonly redirect: string }

/**
 * A stand-in for a provider that verifies numbers. It speaks the provider's real protocol over a socket on 127.0.0.1.
 */
export interface VerifierDouble {
  /** Where it listens, in the form that the verifier takes. */
  readonly url: string
  /** Simulates a person's consent in the provider's app. Returns the proof that the app gets, valid once. */
  readonly consent: (person: Person) => Effect.Effect<{ readonly [field: string]: string }>
  /** From the next request on. */
  readonly play: (behaviour: VerifierBehaviour) => Effect.Effect<void>
  /** Every request so far as it came over the wire, oldest first. */
  readonly seen: Effect.Effect<ReadonlyArray<string>>
  /** The private data it returned so far: tokens, names, addresses. */
  readonly secrets: Effect.Effect<ReadonlyArray<string>>
  /** The wish that goes with `overloaded`, if the protocol has one. */
  readonly retryAfterSeconds?: number
}
