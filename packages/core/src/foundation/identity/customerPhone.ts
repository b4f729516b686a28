import { Result } from "effect"
import { type CountryCode, getCountryCallingCode } from "libphonenumber-js/min"
import { isCountry } from "./canonicalPhone.ts"
import * as Identity from "./Identity.ts"
import { inField, type InvalidField, invalidField } from "./InvalidField.ts"
import * as Problem from "./Problem.ts"

const longest = 64

const refuse = (problem: Problem.Problem) => Result.fail(invalidField("phone", problem))

/**
 * Parses a customer's number in any spelling: with country code, spaces, dots, dashes, slashes and brackets. Returns
 * its digits. Ten digits alone get the default country.
 *
 * It rejects a leading 0, which is not part of a number: a lead stored with it could never be found again. It accepts
 * numbers that cannot receive codes, such as landlines, because customers can write from them.
 */
export const customerPhone = (text: string, defaultCountry: string | null): Result.Result<string, InvalidField> => {
  if (text.length > longest || !/^[\s+0-9().\-/\u2010-\u2015]*$/.test(text)) {
    return refuse(Problem.of("PHONE"))
  }
  const digits = text.replace(/[^0-9]/g, "")
  const plus = text.trimStart().startsWith("+") ? "+" : ""
  const identity = Identity.parse("MOBILE", plus + digits, defaultCountry)
  if (Result.isSuccess(identity)) return Result.succeed(identity.success.canonical)
  if (plus === "" && digits.length === 10) {
    return defaultCountry === null || !isCountry(defaultCountry)
      ? refuse(Problem.of("PHONE_COUNTRY_CODE"))
      : Result.succeed(`${getCountryCallingCode(defaultCountry as CountryCode)}${digits}`)
  }
  if (digits.startsWith("0")) return refuse(Problem.of("PHONE_LEADING_ZERO"))
  return digits.length >= 7 && digits.length <= 15 ? Result.succeed(digits) : refuse(Problem.of("PHONE"))
}

/** Parses the number of a new lead, which must be able to receive messages. */
export const newPhone = (text: string, defaultCountry: string | null): Result.Result<string, InvalidField> =>
  Result.flatMap(customerPhone(text, defaultCountry), (digits) =>
    Result.mapError(
      Result.map(Identity.parse("MOBILE", `+${digits}`), ({ canonical }) => canonical),
      inField("phone")
    )
  )
