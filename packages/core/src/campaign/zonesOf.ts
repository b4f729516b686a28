import { type Zone, zoneOf } from "../time/localDays.ts"

/** Some platforms have the function, older ones the property, and some neither. */
interface LocaleOfCountry extends Intl.Locale {
  readonly getTimeZones?: () => ReadonlyArray<string> | undefined
  readonly timeZones?: ReadonlyArray<string> | undefined
}

const known = new Map<string, ReadonlyArray<Zone>>()

/** The zones whose clocks people of a country live by; none where the platform knows none. */
export const zonesOf = (country: string): ReadonlyArray<Zone> => {
  const found = known.get(country)
  if (found !== undefined) return found
  const locale: LocaleOfCountry = new Intl.Locale(`und-${country}`)
  const names = locale.getTimeZones?.() ?? locale.timeZones ?? []
  const zones = names.flatMap((name) => zoneOf(name) ?? [])
  // There are as many as countries have phone numbers.
  known.set(country, zones)
  return zones
}
