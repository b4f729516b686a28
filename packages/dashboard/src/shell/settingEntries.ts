import { go, paths } from "../address/here.ts"
import { settingAlsoCalled } from "../words/alsoCalled.ts"
import { settingsIndex, settingWords } from "../words/settingsIndex.ts"
import { say } from "../words/say.ts"
import type { SearchEntry } from "./searchDialog.ts"

/** Links to settings. They appear only for a search, and are loaded when the palette opens. */
export const settingEntries: ReadonlyArray<SearchEntry> = settingsIndex.map(({ group, name, words }) => ({
  id: `setting-${name}`,
  kind: say.palette.setting,
  label: words,
  aliases: `${name} ${settingWords.groups[group]} ${settingAlsoCalled[name] ?? ""}`,
  run: () => go(paths.settings({ find: name }))
}))
