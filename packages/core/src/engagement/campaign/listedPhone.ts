import { Result } from "effect"
import * as Identity from "../../foundation/identity/Identity.ts"

/** Spreadsheets write long numbers like this: `9.19877E+11`, `9,2E+11`. */
const shortened = /^[+-]?[0-9]+(?:[.,][0-9]+)?e\+?[0-9]+$/i
/** A phone number that a spreadsheet formatted as a decimal: `919876543210.0`. */
const amount = /^[+-]?[0-9]+[.,][0-9]{1,2}$/
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/u
/** Separators between digits that are not part of the number. */
const between = /[().\u00A0\u2007\u202F\u2010-\u2015\u2212/]/g

/** Parses a cell into E.164 with `+`. Fails with the problem of the cell. */
export const listedPhone = (cell: string, defaultCountry: string | null): Result.Result<string, string> => {
  const text = cell.trim()
  if (text === "") return Result.fail("is empty")
  if (unseen.test(text)) return Result.fail("has invisible characters; type the number again by hand")
  if (text.startsWith("'")) return Result.fail("begins with an apostrophe; write only the number")
  if (shortened.test(text)) {
    return Result.fail(
      "was shortened by a spreadsheet, and its last digits are lost; format the column as text and fill it in again"
    )
  }
  if (amount.test(text)) return Result.fail("was formatted as an amount; format the column as text, without decimals")
  const digits = text.replace(between, " ")
  if (/^\s*00/.test(digits)) return Result.fail("begins with 00; write + and the country code instead")
  if (!/^[+0-9 -]+$/.test(digits)) return Result.fail("must be one phone number with its country code, in digits")
  return Result.mapBoth(Identity.parse("MOBILE", digits, defaultCountry), {
    onSuccess: ({ canonical }) => `+${canonical}`,
    onFailure: ({ problem }) => problem
  })
}
