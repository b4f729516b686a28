const longest = 80

const word = (value: unknown): ReadonlyArray<string> => {
  const text = typeof value === "string" ? value.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "").trim() : ""
  return text === "" ? [] : [text]
}

/** What an app's description of a device calls it: "Pixel 8, Android 15". Null when it says nothing of the kind. */
export const labelOf = (deviceInfo: string | null): string | null => {
  if (deviceInfo === null) return null
  const { model, osVersion, platform } = JSON.parse(deviceInfo) as { readonly [name: string]: unknown }
  const system = [...word(platform), ...word(osVersion)].join(" ")
  const label = [...word(model), ...word(system)].join(", ")
  return label === "" ? null : Array.from(label).slice(0, longest).join("")
}
