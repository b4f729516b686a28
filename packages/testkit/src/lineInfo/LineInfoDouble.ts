import type { Effect } from "effect"

/** A line that a double knows. */
export interface Line {
  /** E.164, with `+`. */
  readonly number: string
  /** The kind of line in the provider's words: `mobile`. */
  readonly type?: string
  readonly carrier?: string
  /** When the number moved to its SIM, in milliseconds. Omit it for a line whose SIM never changed. */
  readonly simSwappedAt?: number
  /** The day from which on the number has another owner: `2025-01-31`. Omit it for a line with one owner. */
  readonly ownerSince?: string
}

/** How a provider's double treats later requests. */
export type LineInfoBehaviour =
  /** Answers truthfully. */
  | "accepted"
  /** Does not know our account. */
  | "unknownAccount"
  /** 429 with a retry delay. */
  | "overloaded"
  /** 503. */
  | "unavailable"
  /** 500. */
  | "broken"
  /** 200 with an unreadable body. */
  | "garbled"
  /** Valid JSON with other fields and other types than documented. */
  | "strange"
  /** Answers, and has no value for any fact. */
  | "silent"
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
 * A stand-in for a provider of facts about phone lines. It speaks the provider's real protocol over a socket on
 * 127.0.0.1. It knows no number but those that `know` taught it.
 */
export interface LineInfoDouble {
  /** Its address, in the form that the adapter takes. */
  readonly url: string
  /** Teaches it a line, or changes one. */
  readonly know: (line: Line) => Effect.Effect<void>
  /** Applies from the next request. */
  readonly play: (behaviour: LineInfoBehaviour) => Effect.Effect<void>
  /** Every request so far as it came over the wire, oldest first. */
  readonly seen: Effect.Effect<ReadonlyArray<string>>
  /** The private data that it issued so far, such as tokens. */
  readonly secrets: Effect.Effect<ReadonlyArray<string>>
  /** The retry delay of `overloaded`, if the protocol has one. */
  readonly retryAfterSeconds?: number
}
