import type { LineFacts } from "@countersign/core/channel"
import { type Answered, field, json } from "@countersign/provider-http"
import { Result } from "effect"
import { codeOf, type Reason, refusal, unreadable } from "./reasons.ts"

/** The facts of one answer. Empty when the operator does not know. */
export type Told = Result.Result<Partial<LineFacts>, Reason>

const nothing: Told = Result.succeed({})

/** Codes for a number that the operator knows nothing about, or for a time that it may not look back. */
const tellNothing = new Set([
  "IDENTIFIER_NOT_FOUND",
  "NOT_FOUND",
  "NOT_SUPPORTED",
  "OUT_OF_RANGE",
  "SERVICE_NOT_APPLICABLE",
  "UNSUPPORTED_IDENTIFIER"
])

const told = (answer: Answered, read: (body: unknown) => Told): Told => {
  if (answer.status === 200) return read(json(answer))
  const code = codeOf(answer)
  const isUnknown = code !== null && tellNothing.has(code) && [400, 404, 422].includes(answer.status)
  return isUnknown ? nothing : Result.fail(refusal(answer))
}

const isTime = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/

/** An instant; undefined for anything else. */
const instantIn = (text: unknown): number | undefined => {
  const instant = typeof text === "string" && isTime.test(text) ? Date.parse(text) : Number.NaN
  return Number.isFinite(instant) ? instant : undefined
}

/** SimSwap's `check`. */
export const swapped = (answer: Answered): Told =>
  told(answer, (body) => {
    const isSwapped = field(body, "swapped")
    return typeof isSwapped === "boolean" ? Result.succeed({ simSwapped: isSwapped }) : Result.fail(unreadable)
  })

const hour = 3_600_000

/**
 * SimSwap's `retrieve-date`. No time, with a monitored period, means that no swap happened in that period. Without a
 * period it means nothing.
 */
export const swapTime = (answer: Answered, withinHours: number, now: number): Told =>
  told(answer, (body) => {
    const time = field(body, "latestSimChange")
    const instant = instantIn(time)
    if (instant !== undefined)
      return Result.succeed({ simSwappedAt: instant, simSwapped: now - instant <= withinHours * hour })
    if (time !== null && time !== "") return Result.fail(unreadable)
    const days = field(body, "monitoredPeriod")
    return typeof days === "number" && days * 24 >= withinHours ? Result.succeed({ simSwapped: false }) : nothing
  })

/** NumberRecycling's `check`. The first drafts of the API had another name for the field. */
export const recycled = (answer: Answered): Told =>
  told(answer, (body) => {
    const isRecycled = field(body, "phoneNumberRecycled") ?? field(body, "phoneNumChanged")
    return typeof isRecycled === "boolean" ? Result.succeed({ recycled: isRecycled }) : Result.fail(unreadable)
  })
