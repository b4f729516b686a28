import { sayOf, word } from "../device/deviceWords.ts"

/** Where a login was asked for, in the words of whoever asked: "Pune, Maharashtra, India". Null when they said nothing. */
export const placeOf = (deviceInfo: string | null): string | null => {
  if (deviceInfo === null) return null
  const { city, country, place, region } = JSON.parse(deviceInfo) as { readonly [name: string]: unknown }
  const named = word(place)
  return sayOf(named.length > 0 ? named : [...word(city), ...word(region), ...word(country)])
}
