import { sayOf, word } from "./deviceWords.ts"

/**
 * Returns a short name from an app's device description: "Pixel 8, Android 15". Null when the description has neither
 * model nor platform.
 */
export const labelOf = (deviceInfo: string | null): string | null => {
  if (deviceInfo === null) return null
  const { model, osVersion, platform } = JSON.parse(deviceInfo) as { readonly [name: string]: unknown }
  return sayOf([...word(model), ...word([...word(platform), ...word(osVersion)].join(" "))])
}
