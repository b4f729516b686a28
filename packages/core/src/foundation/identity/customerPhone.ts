import { Result } from "effect"
import { type CountryCode, getCountryCallingCode } from "libphonenumber-js/min"
import { isCountry } from "./canonicalPhone.ts"
import * as Identity from "./Identity.ts"
import { InvalidField } from "./InvalidField.ts"

const longest = 64

const refuse = (problem: string) => Result.fail(new InvalidField({ field: "phone", problem }))

/**
 * Parses a customer's number in any spelling: with country code, spaces, dots, dashes, slashes and brackets. Returns
 * its digits. Ten digits alone get the default country.
 *
 * It rejects a leading 0, which is not part of a number: a lead stored with it could never be found again. It accepts
 * numbers that cannot receive codes, such as landlines, because customers can write from them.
 */
export const customerPhone = (text: string, defaultCountry: string | null): Result.Result<string, InvalidField> => {
  if (text.length > longest || !/^[\s+0-9().\-/\u2010-\u2015]*$/.test(text)) {
    return refuse("must be a phone number with its country code")
  }
  const digits = text.replace(/[^0-9]/g, "")
  const plus = text.trimStart().startsWith("+") ? "+" : ""
  const identity = Identity.parse("MOBILE", plus + digits, defaultCountry)
  if (Result.isSuccess(identity)) return Result.succeed(identity.success.canonical)
  if (plus === "" && digits.length === 10) {
    return defaultCountry === null || !isCountry(defaultCountry)
      ? refuse("must begin with the country code: no default country is set for ten-digit numbers")
      : Result.succeed(`${getCountryCallingCode(defaultCountry as CountryCode)}${digits}`)
  }
  if (digits.startsWith("0")) return refuse("must begin with the country code, not with a 0 before the number")
  return digits.length >= 7 && digits.length <= 15
    ? Result.succeed(digits)
    : refuse("must be a phone number with its country code")
}

/** Parses the number of a new lead, which must be able to receive messages. */
export const newPhone = (text: string, defaultCountry: string | null): Result.Result<string, InvalidField> =>
  Result.flatMap(customerPhone(text, defaultCountry), (digits) =>
    Result.mapError(
      Result.map(Identity.parse("MOBILE", `+${digits}`), ({ canonical }) => canonical),
      ({ problem }) => new InvalidField({ field: "phone", problem })
    )
  )
