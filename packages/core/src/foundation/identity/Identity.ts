import { Result } from "effect"
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString
} from "libphonenumber-js/min"
import { InvalidField } from "./InvalidField.ts"

export const IdentityType = ["MOBILE", "EMAIL"] as const
export type IdentityType = (typeof IdentityType)[number]

/** A phone number or e-mail address: as the merchant wrote it, and the one form that all its spellings share. */
export interface Identity {
  readonly type: IdentityType
  /** Exactly as sent. Resends, the hourly limit and status compare this. */
  readonly spelling: string
  /**
   * E.164 digits without `+`, or the address with A to Z in lower case. Sending to a number, OneTap and the canonical
   * limits use this.
   */
  readonly canonical: string
  /** `91` only when an Indian number was sent with it. */
  readonly countryCode: "91" | null
  /** The ten digits of an Indian number. */
  readonly nationalNumber: string | null
}

const longestPhone = 64
const longestEmail = 254

const refuse = (problem: string) => Result.fail(new InvalidField({ field: "identity", problem }))

/** A country as its two letters of ISO 3166, if its numbers are known here. */
export const isCountry = (letters: string): letters is CountryCode => isSupportedCountry(letters)

/** The country of ten digits without `+`, unless a merchant sets another. */
const usualCountry = "IN"

const phone = (spelling: string, defaultCountry: string | null): Result.Result<Identity, InvalidField> => {
  if (spelling.length > longestPhone) return refuse(`must be at most ${longestPhone} characters`)
  if (!/^ *\+?[0-9 -]*$/.test(spelling)) {
    return refuse("must be a phone number: digits with country code, one leading +, spaces and dashes")
  }
  const international = spelling.includes("+")
  const digits = spelling.replace(/[^0-9]/g, "")
  if (digits.length === 0) return refuse("must be a phone number")
  const bare = !international && digits.length === 10
  if (bare && (defaultCountry === null || !isCountry(defaultCountry))) {
    return refuse("must begin with + and the country code: ten digits alone name no country here")
  }
  const canonical = bare ? `${getCountryCallingCode(defaultCountry as CountryCode)}${digits}` : digits
  if (canonical.startsWith("91")) {
    if (!/^91[6-9][0-9]{9}$/.test(canonical))
      return refuse("must be an Indian mobile number: ten digits that begin with 6 to 9")
    return Result.succeed({
      type: "MOBILE",
      spelling,
      canonical,
      countryCode: bare ? null : "91",
      nationalNumber: canonical.slice(2)
    })
  }
  // The library drops what people write and nobody dials, such as the zero in +44 07911 123456.
  const parsed = parsePhoneNumberFromString(`+${canonical}`)
  // What it would drop from again has no one form.
  const final =
    parsed !== undefined &&
    (parsed.number === `+${canonical}` || parsePhoneNumberFromString(parsed.number)?.number === parsed.number)
  if (!final || !parsed.isPossible()) return refuse("must be a possible phone number with its country code")
  return Result.succeed({
    type: "MOBILE",
    spelling,
    canonical: parsed.number.slice(1),
    countryCode: null,
    nationalNumber: null
  })
}

/** Spaces of any kind, control and invisible formatting characters, half surrogates, and what means more in a mail header. */
const unsafeInEmail = /[\p{Z}\p{Cc}\p{Cf}\p{Cs}"(),:;<>[\\\]]/u

/**
 * Only A to Z have a lower case that every mail server agrees on. Beyond ASCII it would make one mailbox of two, such as
 * of `K` and U+212A, the sign for kelvin: whoever owns the one would be trusted as the other.
 */
const lowerCase = (address: string) => address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

const email = (spelling: string): Result.Result<Identity, InvalidField> => {
  if (spelling.length > longestEmail) return refuse(`must be at most ${longestEmail} characters`)
  const at = spelling.indexOf("@")
  const domain = spelling.slice(at + 1)
  if (at < 1 || domain === "" || domain.includes("@") || unsafeInEmail.test(spelling)) {
    return refuse("must be an e-mail address with one @ and no spaces")
  }
  if (domain.startsWith(".") || domain.endsWith(".") || domain.includes(".."))
    return refuse("must have a domain after the @")
  return Result.succeed({
    type: "EMAIL",
    spelling,
    canonical: lowerCase(spelling),
    countryCode: null,
    nationalNumber: null
  })
}

/**
 * Reads an identity as a merchant sent it. `defaultCountry` is whose numbers ten digits without `+` are; with null they
 * are refused.
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
): Result.Result<Identity, InvalidField> => (type === "MOBILE" ? phone(spelling, defaultCountry) : email(spelling))

/** The ISO 3166 code of the country that a number belongs to; null when it belongs to none, or to nobody knows which. */
export const countryOf = (canonical: string): string | null => {
  for (let digits = 1; digits <= longestCallingCode; digits++) {
    const country = onlyCountryOf.get(canonical.slice(0, digits))
    if (country !== undefined) return country
  }
  return parsePhoneNumberFromString(`+${canonical}`)?.country ?? null
}

/** The countries that a number may belong to: one where that is known, else all that share its calling code. */
export const countriesOf = (canonical: string): ReadonlyArray<string> => {
  const country = countryOf(canonical)
  return country === null ? (parsePhoneNumberFromString(`+${canonical}`)?.getPossibleCountries() ?? []) : [country]
}

/** Calling codes of the ITU that belong to no country: freephone, satellite, networks, premium rate. */
const codesOfNoCountry: ReadonlySet<string> = new Set(["800", "808", "870", "878", "881", "882", "883", "888", "979"])

/** Whether these digits are a calling code that belongs to no country. */
export const isCodeOfNoCountry = (digits: string): boolean => codesOfNoCountry.has(digits)

/** The calling code of a number that belongs to no country; null where it belongs to one. */
export const codeOfNoCountry = (canonical: string): string | null => {
  const code = canonical.slice(0, 3)
  return isCodeOfNoCountry(code) ? code : null
}

/** Calling codes that one country has to itself: no more than the code need be read, in a thousandth of the time. */
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

/** Which kind of identity a text can only be: an address has an @, and no number has. */
export const typeOf = (text: string): IdentityType => (text.includes("@") ? "EMAIL" : "MOBILE")

/** The form in which an identity may be logged: `+91******3210`, `a***@example.com`. */
export const mask = (type: IdentityType, canonical: string): string => {
  if (type === "EMAIL") return `${canonical.slice(0, 1)}***${canonical.slice(canonical.lastIndexOf("@"))}`
  return canonical.length <= 6
    ? "+******"
    : `+${canonical.slice(0, 2)}${"*".repeat(canonical.length - 6)}${canonical.slice(-4)}`
}
