import { Result } from "effect"
import { isLineFact, type LineFact } from "../../foundation/delivery/LineInfo.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"

/** The facts about the verified number's line that a caller wants to have in the answer. */
export interface LineQuestion {
  /** At least one of `lineFacts`. The provider charges for each. */
  readonly facts: ReadonlyArray<string>
  /** For `simSwapped`: 1 to 2400 hours, 240 by default. */
  readonly simSwapHours?: number | null | undefined
  /** For `recycled`, which requires it: a past date such as `2025-01-31`. */
  readonly recycledSince?: string | null | undefined
}

/** A validated question. */
export interface CheckedLineQuestion {
  readonly facts: ReadonlyArray<LineFact>
  readonly simSwapHours: number
  readonly recycledSince: string
}

const usualHours = 240
const mostHours = 2400

const isDate = (text: string): boolean => {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  return date !== null && date.toJSON()?.startsWith(text) === true
}

const fail = (field: string, problem: string) => Result.fail(new InvalidField({ field: `line.${field}`, problem }))

/** Validates a question about a line. Null when the caller has none. */
export const checkLine = (
  question: LineQuestion | null | undefined,
  now: Instant
): Result.Result<CheckedLineQuestion | null, InvalidField> => {
  if (question == null) return Result.succeed(null)
  const { recycledSince, simSwapHours } = question
  const facts = [...new Set(question.facts)].filter(isLineFact)
  if (facts.length === 0 || !question.facts.every(isLineFact)) {
    return fail("facts", "must be a list of type, carrier, simSwapped, simSwappedAt, recycled")
  }
  const hours = simSwapHours ?? usualHours
  if (!Number.isInteger(hours) || hours < 1 || hours > mostHours) {
    return fail("simSwapHours", `must be an integer between 1 and ${mostHours}`)
  }
  const today = toIso(now).slice(0, 10)
  if (recycledSince == null) {
    return facts.includes("recycled")
      ? fail("recycledSince", "is required for recycled: send the date since which a new owner counts")
      : Result.succeed({ facts, simSwapHours: hours, recycledSince: today })
  }
  return isDate(recycledSince) && recycledSince <= today
    ? Result.succeed({ facts, simSwapHours: hours, recycledSince })
    : fail("recycledSince", "must be a past date, such as 2025-01-31")
}
