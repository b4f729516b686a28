import { valuesIn } from "../../message/template/compose.ts"
import { fill, namesIn } from "../../message/template/Placeholder.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import type { CampaignChannel } from "./Campaign.ts"

/** What a text has a place for, and its merchant's settings fill. */
const settingNames = ["brand", "domain", "appHash"] as const

type Filling = Pick<Settings, (typeof settingNames)[number]>

const settingsOf = (settings: Filling): { readonly [name: string]: string } =>
  Object.fromEntries(settingNames.map((name) => [name, settings[name] ?? ""]))

/**
 * The places of a campaign's text in its order, each as often as it is there. A recipient's `values` fill them one by one,
 * those of settings too: a campaign says to everybody what it said when it was made.
 */
export const placesOf = (channel: CampaignChannel, body: string | null): ReadonlyArray<string> =>
  channel === "WHATSAPP" ? valuesIn("MESSAGE", body) : namesIn(body ?? "")

/** The places that a list of recipients has columns for. */
export const columnsFor = (places: ReadonlyArray<string>): ReadonlyArray<string> =>
  places.filter((place) => !settingNames.some((name) => name === place))

/** A recipient's values: those of the columns, as `columnsFor` names them, with those of settings between. */
export const valuesFor = (
  places: ReadonlyArray<string>,
  columns: ReadonlyArray<string>,
  settings: Filling
): ReadonlyArray<string> => {
  const known = settingsOf(settings)
  let next = 0
  return places.map((place) => (Object.hasOwn(known, place) ? known[place]! : columns[next++]!))
}

/** The words with the settings in them, and the places of columns as they were. */
export const wordsWith = (body: string, settings: Filling): string => fill(body, settingsOf(settings))
