import { Result } from "effect"
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString
} from "libphonenumber-js/min"
import * as Problem from "./Problem.ts"

interface CanonicalPhone {
  readonly canonical: string
  readonly countryCode: "91" | null
  readonly nationalNumber: string | null
}

const longestPhone = 64

/** A country by its ISO 3166 code, if its numbers are supported. */
export const isCountry = (letters: string): letters is CountryCode => isSupportedCountry(letters)

/**
 * The E.164 digits of a phone number as a merchant sent it, or why it is none. `defaultCountry` is the country of
 * ten-digit numbers without `+`; null rejects such numbers.
 */
export const canonicalPhone = (
  spelling: string,
  defaultCountry: string | null
): Result.Result<CanonicalPhone, Problem.Problem> => {
  if (spelling.length > longestPhone) return Result.fail(Problem.of("TOO_LONG", { max: longestPhone }))
  if (!/^ *\+?[0-9 -]*$/.test(spelling)) {
    return Result.fail(Problem.of("PHONE_CHARACTERS"))
  }
  const international = spelling.includes("+")
  const digits = spelling.replace(/[^0-9]/g, "")
  if (digits.length === 0) return Result.fail(Problem.of("PHONE_CHARACTERS"))
  const bare = !international && digits.length === 10
  if (bare && (defaultCountry === null || !isCountry(defaultCountry))) {
    return Result.fail(Problem.of("PHONE_COUNTRY_CODE"))
  }
  const canonical = bare ? `${getCountryCallingCode(defaultCountry as CountryCode)}${digits}` : digits
  if (canonical.startsWith("91")) {
    if (!/^91[6-9][0-9]{9}$/.test(canonical)) return Result.fail(Problem.of("PHONE_INDIAN"))
    return Result.succeed({
      canonical,
      countryCode: bare ? null : "91",
      nationalNumber: canonical.slice(2)
    })
  }
  // The library drops digits that people write but do not dial, such as the zero in +44 07911 123456.
  const parsed = parsePhoneNumberFromString(`+${canonical}`)
  // If parsing the result drops digits again, the number has no canonical form.
  const final =
    parsed !== undefined &&
    (parsed.number === `+${canonical}` || parsePhoneNumberFromString(parsed.number)?.number === parsed.number)
  if (!final || !parsed.isPossible()) return Result.fail(Problem.of("PHONE"))
  return Result.succeed({
    canonical: parsed.number.slice(1),
    countryCode: null,
    nationalNumber: null
  })
}
