import { countryByCode } from "../identity/Identity.ts"

/** The groups of numbers that a number belongs to. */
export interface PlacesOfNumber {
  /**
   * The country, without a full parse. Countries that share a calling code have an area each: `1876` is Jamaica, and
   * `447` the mobile numbers of Britain.
   */
  readonly country: string
  /** All but the last four digits. Null for a number that is too short. */
  readonly prefix: string | null
  /** All but the last six digits. Null for a number that is too short. */
  readonly range: string | null
}

export const placesOfNumber = (number: string): PlacesOfNumber => ({
  country: countryByCode(number) ?? number.slice(0, number.startsWith("1") ? 4 : 3),
  prefix: number.length > 6 ? number.slice(0, -4) : null,
  range: number.length > 6 ? number.slice(0, -6) : null
})
