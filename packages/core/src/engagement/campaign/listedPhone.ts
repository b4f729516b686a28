import { Result } from "effect"
import { problemIn } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import * as Identity from "../../foundation/identity/Identity.ts"

/** Spreadsheets write long numbers like this: `9.19877E+11`, `9,2E+11`. */
const shortened = /^[+-]?[0-9]+(?:[.,][0-9]+)?e\+?[0-9]+$/i
/** A phone number that a spreadsheet formatted as a decimal: `919876543210.0`. */
const amount = /^[+-]?[0-9]+[.,][0-9]{1,2}$/
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/u
/** Separators between digits that are not part of the number. */
const between = /[().\u00A0\u2007\u202F\u2010-\u2015\u2212/]/g

/** Parses a cell into E.164 with `+`. Fails with the problem of the cell. */
export const listedPhone = (cell: string, defaultCountry: string | null): Result.Result<string, Problem.Worded> => {
  const text = cell.trim()
  if (text === "") return Result.fail(Problem.of("LISTED_EMPTY"))
  if (unseen.test(text)) return Result.fail(Problem.of("LISTED_INVISIBLE"))
  if (text.startsWith("'")) return Result.fail(Problem.of("LISTED_APOSTROPHE"))
  if (shortened.test(text)) {
    return Result.fail(Problem.of("LISTED_SHORTENED"))
  }
  if (amount.test(text)) return Result.fail(Problem.of("LISTED_AMOUNT"))
  const digits = text.replace(between, " ")
  if (/^\s*00/.test(digits)) return Result.fail(Problem.of("LISTED_00"))
  if (!/^[+0-9 -]+$/.test(digits)) return Result.fail(Problem.of("LISTED_CHARACTERS"))
  return Result.mapBoth(Identity.parse("MOBILE", digits, defaultCountry), {
    onSuccess: ({ canonical }) => `+${canonical}`,
    onFailure: problemIn
  })
}
