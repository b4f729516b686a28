import { parsePhoneNumberFromString } from "libphonenumber-js/max"
import { Result } from "effect"
import { codeOfNoCountry, countryOf } from "../../foundation/identity/Identity.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { DestinationForbidden } from "./VerificationError.ts"

const forbid = (problem: string) => Result.fail(new DestinationForbidden({ problem }))

/** Only the larger metadata set knows premium-rate numbers. */
const isPremiumRate = (canonical: string) => parsePhoneNumberFromString(`+${canonical}`)?.getType() === "PREMIUM_RATE"

/**
 * Checks whether an app with the public key may send messages to this number. Calling codes that belong to no country
 * (satellite, international premium) must be listed explicitly: an `allowedCountries` of null does not include them.
 * Premium-rate numbers are never allowed.
 */
export const checkDestination = (
  canonical: string,
  { allowedCountries, blockedPrefixes }: Settings
): Result.Result<void, DestinationForbidden> => {
  if (blockedPrefixes.some((prefix) => canonical.startsWith(prefix))) {
    return forbid("numbers with this prefix are blocked")
  }
  const code = codeOfNoCountry(canonical)
  if (code !== null) {
    return allowedCountries?.includes(`+${code}`) === true
      ? Result.void
      : forbid(`+${code} belongs to no country, and is not in allowedCountries`)
  }
  if (allowedCountries !== null) {
    const country = countryOf(canonical)
    if (country === null || !allowedCountries.includes(country))
      return forbid("numbers of this country are not allowed")
  }
  return isPremiumRate(canonical) ? forbid("premium-rate numbers are not allowed") : Result.void
}
