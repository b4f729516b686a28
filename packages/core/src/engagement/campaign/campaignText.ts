import { valuesIn } from "../../message/template/compose.ts"
import { fill, namesIn } from "../../message/template/Placeholder.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import type { CampaignChannel } from "./Campaign.ts"

/** Placeholders that the merchant's settings fill. */
const settingNames = ["brand", "domain", "appHash"] as const

type Filling = Pick<Settings, (typeof settingNames)[number]>

const settingsOf = (settings: Filling): { readonly [name: string]: string } =>
  Object.fromEntries(settingNames.map((name) => [name, settings[name] ?? ""]))

/**
 * The placeholders of a campaign's text, in order and with repetitions. A recipient's `values` fill all of them, also
 * those from settings, so a later change of settings does not change a created campaign.
 */
export const placesOf = (channel: CampaignChannel, body: string | null): ReadonlyArray<string> =>
  channel === "WHATSAPP" ? valuesIn("MESSAGE", body) : namesIn(body ?? "")

/** The placeholders that need a column in the recipient list. */
export const columnsFor = (places: ReadonlyArray<string>): ReadonlyArray<string> =>
  places.filter((place) => !settingNames.some((name) => name === place))

/** A recipient's values for all placeholders: the columns in the order of `columnsFor`, merged with the settings. */
export const valuesFor = (
  places: ReadonlyArray<string>,
  columns: ReadonlyArray<string>,
  settings: Filling
): ReadonlyArray<string> => {
  const known = settingsOf(settings)
  let next = 0
  return places.map((place) => (Object.hasOwn(known, place) ? known[place]! : columns[next++]!))
}

/** The text with settings filled in. Placeholders for columns stay. */
export const wordsWith = (body: string, settings: Filling): string => fill(body, settingsOf(settings))
