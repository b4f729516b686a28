import type { Behaviour } from "../channel/ProviderDouble.ts"
import { type ErrorWords, type GraphAnswer, graphError } from "./WhatsAppError.ts"

/** How messages are treated. Whatever the mode, a message must be right to be taken. */
export type WhatsAppMode =
  | "accepted"
  /** Taken after a while. */
  | "slow"
  /** Taken, and the answer is a page that no program reads. */
  | "garbled"
  /** Taken, and the connection breaks before the answer. */
  | "acceptThenDrop"
  /** Read, and never answered. */
  | "hanging"
  /** Read, and the connection is reset. */
  | "reset"
  /** One of Meta's error codes. */
  | ({ readonly refused: number } & ErrorWords)
  /** Too much at once, in one of Meta's codes or in bare HTTP. */
  | { readonly overloaded: 80007 | 130429 | 429 | 503; readonly retryAfterSeconds?: number }

const undeliverable = 131026

/** The mode for a behaviour that every provider's double knows. */
export const modeOf = (behaviour: Behaviour): WhatsAppMode => {
  if (behaviour === "refused") return { refused: undeliverable }
  return behaviour === "overloaded" ? { overloaded: 130429 } : behaviour
}

export const takes = (mode: WhatsAppMode): boolean => typeof mode === "string" && mode !== "hanging" && mode !== "reset"

/** The error of a mode that has one. */
export const errorOf = (mode: WhatsAppMode): (GraphAnswer & { readonly retryAfterSeconds?: number }) | null => {
  if (typeof mode === "string") return null
  if ("refused" in mode) return graphError(mode.refused, mode)
  const { overloaded, retryAfterSeconds } = mode
  const answer = overloaded < 600 ? { status: overloaded, body: "" } : graphError(overloaded)
  return retryAfterSeconds === undefined ? answer : { ...answer, retryAfterSeconds }
}
