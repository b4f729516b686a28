import type { Behaviour } from "../channel/ProviderDouble.ts"
import { type ErrorWords, type GraphAnswer, graphError } from "./WhatsAppError.ts"

/** How messages are treated. In every mode, only valid messages are accepted. */
export type WhatsAppMode =
  | "accepted"
  /** Accepts the message after a delay. */
  | "slow"
  /** Accepts the message, and answers with an unreadable page. */
  | "garbled"
  /** Accepts the message, and the connection breaks before the answer. */
  | "acceptThenDrop"
  /** Reads the request and never answers. */
  | "hanging"
  /** Reads the request and resets the connection. */
  | "reset"
  /** Refuses the message with one of Meta's error codes. */
  | ({ readonly refused: number } & ErrorWords)
  /** Rate limited, with one of Meta's codes or a bare HTTP status. */
  | { readonly overloaded: 80007 | 130429 | 429 | 503; readonly retryAfterSeconds?: number }

const undeliverable = 131026

/** The mode for a behaviour that every provider's double supports. */
export const modeOf = (behaviour: Behaviour): WhatsAppMode => {
  if (behaviour === "refused") return { refused: undeliverable }
  return behaviour === "overloaded" ? { overloaded: 130429 } : behaviour
}

export const takes = (mode: WhatsAppMode): boolean => typeof mode === "string" && mode !== "hanging" && mode !== "reset"

/** The error response of a mode that has one. */
export const errorOf = (mode: WhatsAppMode): (GraphAnswer & { readonly retryAfterSeconds?: number }) | null => {
  if (typeof mode === "string") return null
  if ("refused" in mode) return graphError(mode.refused, mode)
  const { overloaded, retryAfterSeconds } = mode
  const answer = overloaded < 600 ? { status: overloaded, body: "" } : graphError(overloaded)
  return retryAfterSeconds === undefined ? answer : { ...answer, retryAfterSeconds }
}
