const longest = 80

const word = (value: unknown): ReadonlyArray<string> => {
  const text = typeof value === "string" ? value.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "").trim() : ""
  return text === "" ? [] : [text]
}

/** Where a login was asked for, in the words of whoever asked: "Pune, Maharashtra, India". Null when they said nothing. */
export const placeOf = (deviceInfo: string | null): string | null => {
  if (deviceInfo === null) return null
  const { city, country, place, region } = JSON.parse(deviceInfo) as { readonly [name: string]: unknown }
  const named = word(place)
  const text = (named.length > 0 ? named : [...word(city), ...word(region), ...word(country)]).join(", ")
  return text === "" ? null : Array.from(text).slice(0, longest).join("")
}
