import { settingAlsoCalled } from "../../words/settingAlsoCalled.ts"
import {
  settingGroups,
  type SettingGroup,
  type SettingName,
  settingsIndex,
  settingWords
} from "../../words/settingsIndex.ts"

export interface Group {
  readonly group: SettingGroup
  readonly names: ReadonlyArray<SettingName>
}

/** A setting of exactly this name, or settings that contain every search word in their name, title, usual names, group or description, by group. */
export const matchingGroups = (
  text: string,
  effects: { readonly [N in SettingName]: string }
): ReadonlyArray<Group> => {
  const isExact = settingsIndex.some(({ name }) => name === text.trim())
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (group: SettingGroup, name: SettingName) => {
    if (isExact) return name === text.trim()
    const names = [name, settingWords.names[name], settingAlsoCalled[name] ?? ""]
    const all = [...names, settingWords.groups[group], effects[name]].join(" ").toLowerCase()
    return words.every((word) => all.includes(word))
  }
  return (Object.keys(settingGroups) as ReadonlyArray<SettingGroup>)
    .map((group) => ({ group, names: settingGroups[group].filter((name) => fits(group, name)) }))
    .filter(({ names }) => names.length > 0)
}
