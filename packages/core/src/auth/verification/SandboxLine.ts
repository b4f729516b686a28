import type { LineFacts, LineRequest } from "../../foundation/delivery/LineInfo.ts"
import { hours, type Instant } from "../../foundation/time/Instant.ts"
import { type LineAnswer, unanswered } from "./LineLookups.ts"

/** The facts of a test environment's numbers, by their ending. */
const byEnding: { readonly [ending: string]: (now: Instant) => Partial<LineFacts> } = {
  "0002": (now) => ({ simSwapped: true, simSwappedAt: now - hours(1) }),
  "0003": () => ({ recycled: true }),
  "0004": () => ({ type: "nonFixedVoip" })
}

/** The ending of a number whose provider does not answer. */
const silent = "0005"

/**
 * Answers a lookup in a test environment, where no provider is asked. The number's ending decides: `0002` is a SIM that
 * was swapped an hour ago, `0003` a number with a new owner, `0004` a VoIP line, and `0005` a provider that does not
 * answer. Every other number is an ordinary mobile line.
 */
export const lookUp = (request: LineRequest, now: Instant): LineAnswer => {
  const { facts, number } = request
  const ending = number.slice(-4)
  if (ending === silent) return unanswered(request, "UNAVAILABLE")
  const usual = {
    type: "mobile",
    carrier: "Test",
    simSwapped: false,
    simSwappedAt: now - hours(24 * 365),
    recycled: false
  }
  const all: LineFacts = { ...usual, ...byEnding[ending]?.(now) }
  return { facts: Object.fromEntries(facts.map((fact) => [fact, all[fact]])), missing: null }
}
