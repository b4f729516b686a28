import { parsePhoneNumberFromString } from "libphonenumber-js/max"
import { Result, Schema } from "effect"
import { codeOfNoCountry, countryOf } from "../../foundation/identity/Identity.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Settings } from "./Settings.ts"

/** The merchant allows no messages to such numbers. */
export class DestinationForbidden extends Schema.TaggedError<DestinationForbidden>()("DestinationForbidden", {
  problem: Schema.String,
  code: Schema.declare((code): code is Problem.ProblemCode => typeof code === "string"),
  params: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite]))
}) {}

/** The code of a queued message that the merchant's settings have forbidden since. */
export const forbiddenCode = "destination_forbidden"

type Rules = Pick<Settings, "allowedCountries" | "blockedNumberTypes" | "blockedPrefixes">

const forbid = (problem: Problem.Problem) => Result.fail(new DestinationForbidden(problem))

/** Only the larger metadata set knows the type of a number. A look-up takes some microseconds. */
const typeOf = (canonical: string) => parsePhoneNumberFromString(`+${canonical}`)?.getType()

/** How a refusal names a type. */
const typeWords = (type: string) => type.toLowerCase().replaceAll("_", "-")

/**
 * Checks whether an environment may send messages to this number: its country, its prefix and its type. Every path that
 * sends asks here, except campaigns, which have their own list of recipients.
 */
export const checkDestination = (
  canonical: string,
  { allowedCountries, blockedNumberTypes, blockedPrefixes }: Rules
): Result.Result<void, DestinationForbidden> => {
  if (blockedPrefixes.some((prefix) => canonical.startsWith(prefix))) {
    return forbid(Problem.of("DESTINATION_PREFIX"))
  }
  if (allowedCountries !== null) {
    const code = codeOfNoCountry(canonical)
    if (code !== null) {
      // Listed by its code, such a number is meant, whatever its type.
      return allowedCountries.includes(`+${code}`) ? Result.void : forbid(Problem.of("DESTINATION_CODE", { code }))
    }
    const country = countryOf(canonical)
    if (country === null || !allowedCountries.includes(country)) {
      return forbid(Problem.of("DESTINATION_COUNTRY"))
    }
  }
  if (blockedNumberTypes.length === 0) return Result.void
  const type = typeOf(canonical)
  return blockedNumberTypes.some((blocked) => blocked === type)
    ? forbid(Problem.of("DESTINATION_TYPE", { type: typeWords(type!) }))
    : Result.void
}

/**
 * The same for an app with the public key, which anyone can read. Calling codes that belong to no country (satellite,
 * international premium) must be listed explicitly, and premium-rate numbers are never allowed.
 */
export const checkPublicDestination = (
  canonical: string,
  settings: Rules
): Result.Result<void, DestinationForbidden> => {
  const { allowedCountries, blockedNumberTypes } = settings
  return checkDestination(canonical, {
    ...settings,
    allowedCountries: allowedCountries ?? (codeOfNoCountry(canonical) === null ? null : []),
    blockedNumberTypes: [...blockedNumberTypes, "PREMIUM_RATE"]
  })
}
