import { Result } from "effect"
import { type CountryCode, getCountryCallingCode } from "libphonenumber-js/min"
import * as Identity from "./Identity.ts"
import { InvalidField } from "./InvalidField.ts"

const longest = 64

const refuse = (problem: string) => Result.fail(new InvalidField({ field: "phone", problem }))

/**
 * The digits of a customer's number, however it is written: with country code, spaces, dots, dashes, slashes and
 * brackets. Ten digits alone are a number of the default country; a 0 before them belongs to no number, and under one with
 * it nobody would ever be found again. A customer may write from any number that the
 * provider has, also from a landline, which no code could be sent to.
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
    return defaultCountry === null || !Identity.isCountry(defaultCountry)
      ? refuse("must begin with the country code: ten digits alone name no country here")
      : Result.succeed(`${getCountryCallingCode(defaultCountry as CountryCode)}${digits}`)
  }
  if (digits.startsWith("0")) return refuse("must begin with the country code, and not with a 0 before the number")
  return digits.length >= 7 && digits.length <= 15
    ? Result.succeed(digits)
    : refuse("must be a phone number with its country code")
}

/** A number that a new lead is made of: one that messages can be sent to. */
export const newPhone = (text: string, defaultCountry: string | null): Result.Result<string, InvalidField> =>
  Result.flatMap(customerPhone(text, defaultCountry), (digits) =>
    Result.mapError(
      Result.map(Identity.parse("MOBILE", `+${digits}`), ({ canonical }) => canonical),
      ({ problem }) => new InvalidField({ field: "phone", problem })
    )
  )
