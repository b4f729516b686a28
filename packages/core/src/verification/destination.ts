import { Result } from "effect"
import { countryOf } from "../identity/Identity.ts"
import type { Settings } from "../merchant/Settings.ts"
import { DestinationForbidden } from "./VerificationError.ts"

/** Whether anybody with the public key may have messages sent to this number. */
export const checkDestination = (
  canonical: string,
  { allowedCountries, blockedPrefixes }: Settings
): Result.Result<void, DestinationForbidden> => {
  if (blockedPrefixes.some((prefix) => canonical.startsWith(prefix))) {
    return Result.fail(new DestinationForbidden({ problem: "numbers with this prefix are blocked" }))
  }
  const country = allowedCountries === null ? null : countryOf(canonical)
  return allowedCountries === null || (country !== null && allowedCountries.includes(country))
    ? Result.void
    : Result.fail(new DestinationForbidden({ problem: "numbers of this country are not allowed" }))
}
