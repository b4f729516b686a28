import { Effect, Result } from "effect"
import { DigestMinutes } from "../../auth/staff/Agent.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import { inField, type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"

const longestName = 100
const mostAtOnce = 200
const usualAtOnce = 50
/** Higher page numbers exceed what a storage can address. */
const lastPage = 10_000_000

/** Whether storage accepts the text unchanged. */
const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed()

/** The canonical form of a name, equal for all spellings. */
export const canonicalName = (name: string): string => name.normalize("NFKC").toLowerCase()

/** A name without surrounding spaces. */
export const checkName = (field: string, rawName: string | null | undefined) => {
  const name = rawName?.trim() ?? ""
  return name !== "" && name.length <= longestName && !/[\p{Cc}\p{Cs}]/u.test(name)
    ? Effect.succeed(name)
    : Effect.fail(invalidField(field, Problem.of("LINE", { min: 1, max: longestName })))
}

const longestDisplayName = 60
const longestLabelName = 40

/**
 * A display name, or null for none. Colleagues recognize each other by it, so characters that cannot be seen, or that
 * reverse text, are refused.
 */
export const checkDisplayName = (field: string, rawName: string | null) => {
  const name = rawName?.trim() ?? ""
  if (name === "") return Effect.succeed(null)
  return name.length <= longestDisplayName && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)
    ? Effect.succeed(name)
    : Effect.fail(invalidField(field, Problem.of("LINE_TOO_LONG_OR_HIDDEN", { max: longestDisplayName })))
}

/** A label's name. Agents tell labels apart by it, so it has no characters that cannot be seen. */
export const checkLabelName = (field: string, rawName: string | null) => {
  const name = rawName?.trim() ?? ""
  return name !== "" && name.length <= longestLabelName && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)
    ? Effect.succeed(name)
    : Effect.fail(invalidField(field, Problem.of("LABEL_NAME", { max: longestLabelName })))
}

/** After how many minutes mails report waiting customers; null for no mails. */
export const checkDigestMinutes = (
  field: string,
  minutes: number | null
): Effect.Effect<DigestMinutes | null, InvalidField> => {
  const known = DigestMinutes.find((candidate) => candidate === minutes) ?? null
  return known === null && minutes !== null
    ? Effect.fail(invalidField(field, Problem.of("ONE_OF", { values: [...DigestMinutes, "null"].join(", ") })))
    : Effect.succeed(known)
}

/** A text within the length limit that is not blank. */
export const checkText = (field: string, rawText: string | null | undefined, longest: number) => {
  const text = rawText ?? ""
  return text.trim() !== "" && text.length <= longest && isStorable(text)
    ? Effect.succeed(text)
    : Effect.fail(invalidField(field, Problem.of("LENGTH", { min: 1, max: longest })))
}

/** The canonical form of an agent's address. */
export const checkEmail = (field: string, email: string): Effect.Effect<string, InvalidField> =>
  Effect.fromResult(
    Result.mapError(
      Result.map(Identity.parse("EMAIL", email.trim()), ({ canonical }) => canonical),
      inField(field)
    )
  )

const wholeNumber = (field: string, number: number | null | undefined, min: number, max: number, fallback: number) => {
  const value = number ?? fallback
  return Number.isInteger(value) && value >= min && value <= max
    ? Effect.succeed(value)
    : Effect.fail(invalidField(field, Problem.of("BETWEEN", { min, max })))
}

export const checkPage = (value: number | null | undefined) => wholeNumber("page", value, 0, lastPage, 0)

export const checkSize = (field: "size" | "limit", value: number | null | undefined) =>
  wholeNumber(field, value, 1, mostAtOnce, usualAtOnce)

/** One of the allowed words. An omitted field keeps its value. */
export const checkWord = <W extends string>(
  field: string,
  words: ReadonlyArray<W>,
  value: string | null | undefined,
  stays: W
): Effect.Effect<W, InvalidField> => {
  if (value == null) return Effect.succeed(stays)
  const word = words.find((candidate) => candidate === value)
  return word === undefined
    ? Effect.fail(invalidField(field, Problem.of("ONE_OF", { values: words.join(", ") })))
    : Effect.succeed(word)
}
