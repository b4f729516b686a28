import { sayOf, word } from "./deviceWords.ts"

/** What an app's description of a device calls it: "Pixel 8, Android 15". Null when it says nothing of the kind. */
export const labelOf = (deviceInfo: string | null): string | null => {
  if (deviceInfo === null) return null
  const { model, osVersion, platform } = JSON.parse(deviceInfo) as { readonly [name: string]: unknown }
  return sayOf([...word(model), ...word([...word(platform), ...word(osVersion)].join(" "))])
}
