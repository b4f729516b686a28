import { Result } from "effect"
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString
} from "libphonenumber-js/min"
import { canonicalEmail } from "./canonicalEmail.ts"
import { canonicalPhone } from "./canonicalPhone.ts"
import { type InvalidField, invalidField } from "./InvalidField.ts"
import type * as Problem from "./Problem.ts"

export const IdentityType = ["MOBILE", "EMAIL"] as const
export type IdentityType = (typeof IdentityType)[number]

/** A phone number or e-mail address: the merchant's spelling, and the canonical form that all spellings share. */
export interface Identity {
  readonly type: IdentityType
  /** Exactly as sent. Resends, the hourly limit and status compare it. */
  readonly spelling: string
  /**
   * E.164 digits without `+`, or the address with A to Z in lower case. Sending to a number, OneTap and the canonical
   * limits use it.
   */
  readonly canonical: string
  /** `91` only when the merchant sent an Indian number with it. */
  readonly countryCode: "91" | null
  /** The ten digits of an Indian number. */
  readonly nationalNumber: string | null
}

/** The default country of ten-digit numbers without `+`, until a merchant sets another. */
const usualCountry = "IN"

/**
 * Parses an identity as a merchant sent it. `defaultCountry` is the country of ten-digit numbers without `+`; null
 * rejects such numbers.
 *
 * @example
 * ```ts
 * import { Identity } from "@countersign/core"
 *
 * Identity.parse("MOBILE", "98765 43210") // canonical "919876543210"
 * Identity.parse("MOBILE", "+65 9123 4567") // canonical "6591234567"
 * Identity.parse("MOBILE", "415 555 2671", "US") // canonical "14155552671"
 * ```
 */
export const parse = (
  type: IdentityType,
  spelling: string,
  defaultCountry: string | null = usualCountry
): Result.Result<Identity, InvalidField> => {
  const parsed: Result.Result<Omit<Identity, "spelling" | "type">, Problem.Problem> = type === "MOBILE"
    ? canonicalPhone(spelling, defaultCountry)
    : canonicalEmail(spelling)
  return Result.mapBoth(parsed, {
    onSuccess: (canonical) => ({ type, spelling, ...canonical }),
    onFailure: (problem) => invalidField("identity", problem)
  })
}

/** The country whose calling code a number has; null when several countries share it, or none has it. */
export const countryByCode = (canonical: string): string | null => {
  for (let digits = 1; digits <= longestCallingCode; digits++) {
    const country = onlyCountryOf.get(canonical.slice(0, digits))
    if (country !== undefined) return country
  }
  return null
}

/** The ISO 3166 code of a number's country; null when it has none, or when it is unknown. */
export const countryOf = (canonical: string): string | null => {
  const country = countryByCode(canonical)
  if (country !== null) return country
  return parsePhoneNumberFromString(`+${canonical}`)?.country ?? null
}

/** The possible countries of a number: its country when known, otherwise all that share its calling code. */
export const countriesOf = (canonical: string): ReadonlyArray<string> => {
  const country = countryOf(canonical)
  return country === null ? (parsePhoneNumberFromString(`+${canonical}`)?.getPossibleCountries() ?? []) : [country]
}

/** ITU calling codes without a country: freephone, satellite, networks, premium rate. */
const codesOfNoCountry: ReadonlySet<string> = new Set(["800", "808", "870", "878", "881", "882", "883", "888", "979"])

/** Whether these digits are a calling code without a country. */
export const isCodeOfNoCountry = (digits: string): boolean => codesOfNoCountry.has(digits)

/** The calling code of a number without a country; null when the number has one. */
export const codeOfNoCountry = (canonical: string): string | null => {
  const code = canonical.slice(0, 3)
  return isCodeOfNoCountry(code) ? code : null
}

/** Calling codes that belong to a single country. A lookup here takes a thousandth of the time of a full parse. */
const onlyCountryOf: ReadonlyMap<string, CountryCode> = (() => {
  const only = new Map<string, CountryCode>()
  const shared = new Set<string>()
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country)
    if (only.delete(code) || shared.has(code)) shared.add(code)
    else only.set(code, country)
  }
  return only
})()
const longestCallingCode = 3

/** The only possible type of a text: an address contains an @, a number never does. */
export const typeOf = (text: string): IdentityType => (text.includes("@") ? "EMAIL" : "MOBILE")

/** The masked form, safe for logs: `+91******3210`, `a***@example.com`. */
export const mask = (type: IdentityType, canonical: string): string => {
  if (type === "EMAIL") return `${canonical.slice(0, 1)}***${canonical.slice(canonical.lastIndexOf("@"))}`
  return canonical.length <= 6
    ? "+******"
    : `+${canonical.slice(0, 2)}${"*".repeat(canonical.length - 6)}${canonical.slice(-4)}`
}
