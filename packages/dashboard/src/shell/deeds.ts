import { environment, go, here, paths } from "../address/here.ts"
import { across } from "../address/paths.ts"
import { declared } from "../keys/useKeys.ts"
import { type DeedName, offerOf, runDeed } from "../keys/offers.ts"
import { may } from "../session/may.ts"
import { deedAlsoCalled, screenAlsoCalled } from "../words/alsoCalled.ts"
import { chooseLanguage, language, languages } from "../words/language.ts"
import { settingAlsoCalled } from "../words/settingAlsoCalled.ts"
import { settingsIndex, settingWords } from "../words/settingsIndex.ts"
import { say as shared } from "../words/say.ts"
import { goAway } from "./Account.tsx"
import { isNotifications } from "./device.ts"
import { operator, ownMenu } from "./menu.ts"
import { say } from "./paletteWords.ts"
import { comparable, type PaletteEntry } from "./rank.ts"
import type { Theme } from "./keptTheme.ts"
import { chooseTheme, theme } from "./theme.ts"
import { openTryIt } from "./tryIt.ts"

const deed = (entry: Omit<PaletteEntry, "kind">): PaletteEntry => ({ kind: say.deed, ...entry })

/** An action of a button on a screen. Opens the screen first when it is not open. */
const ofScreen = (
  name: Exclude<DeedName, "export">,
  route: "team" | "money" | "keys" | "webhooks",
  refused: string | undefined
): PaletteEntry =>
  deed({
    id: name,
    label: say[name],
    aliases: deedAlsoCalled[name],
    blocked: refused ?? offerOf(name)?.blocked,
    run: () => runDeed(name, (paths[route] as () => string)())
  })

/** The download of the open screen, where it has one. */
const exportOfScreen = (): ReadonlyArray<PaletteEntry> => {
  const offer = offerOf("export")
  if (offer === undefined) return []
  return [
    deed({
      id: "export",
      label: say.exportCsv,
      aliases: deedAlsoCalled.export,
      blocked: offer.blocked,
      run: () => runDeed("export", here.peek())
    })
  ]
}

/** Actions of the whole page, in the order in which the palette lists them. Refused ones carry the reason. */
export const deeds = (): ReadonlyArray<PaletteEntry> => [
  ...exportOfScreen(),
  deed({ id: "try", label: say.tryIt, aliases: deedAlsoCalled.tryIt, blocked: may.arrange, run: openTryIt }),
  deed({
    id: "unlock",
    label: say.unlock,
    aliases: deedAlsoCalled.unlock,
    blocked: may.work,
    // The users who ran out of attempts: an agent opens the one to unlock from there.
    run: () => go(paths.verifications({ failure: "noAttempts" }))
  }),
  ofScreen("invite", "team", may.arrange),
  ofScreen("topUp", "money", may.own),
  deed({
    id: "newCampaign",
    label: say.newCampaign,
    aliases: deedAlsoCalled.newCampaign,
    blocked: may.arrange,
    run: () => go(paths.campaigns({ view: "new" }))
  }),
  ofScreen("addEndpoint", "webhooks", may.arrange),
  ofScreen("newKey", "keys", may.own),
  deed({
    id: "environment",
    label: environment.peek() === "live" ? say.toTest : say.toLive,
    aliases: deedAlsoCalled.environment,
    run: () => go(across(here.peek(), environment.peek() === "live" ? "test" : "live"))
  }),
  ...languages
    .filter((each) => each !== language)
    .map((each) =>
      deed({
        id: `language-${each}`,
        label: say.toLanguage[each],
        aliases: deedAlsoCalled.language,
        run: () => chooseLanguage(each)
      })
    ),
  ...(["dark", "light", "system"] satisfies ReadonlyArray<Theme>)
    .filter((each) => each !== theme.peek())
    .map((each) =>
      deed({
        id: `theme-${each}`,
        label: say.theme[each],
        aliases: deedAlsoCalled.themes[each],
        run: () => chooseTheme(each)
      })
    ),
  deed({
    id: "notifications",
    label: say.notifications,
    aliases: deedAlsoCalled.notifications,
    run: () => (isNotifications.value = true)
  }),
  deed({
    id: "signOut",
    label: shared.shell.signOut,
    aliases: deedAlsoCalled.signOut,
    run: () => void goAway()
  })
]

/** Pages of the menu, and the parts of pages that have their own address. */
export const pages = (): ReadonlyArray<PaletteEntry> => [
  ...[...ownMenu().flatMap(({ entries }) => entries), operator].map(
    ({ route }): PaletteEntry => ({
      id: route,
      kind: say.screen,
      label: shared.menu[route],
      aliases: screenAlsoCalled[route] ?? route,
      run: () => go((paths[route] as () => string)())
    })
  ),
  {
    id: "optOuts",
    kind: say.screen,
    label: say.optOuts,
    aliases: deedAlsoCalled.optOuts,
    run: () => go(paths.campaigns({ view: "optOuts" }))
  }
]

/** Shortcuts of the open screen. Those that only repeat an action or a page are left out. */
export const shortcuts = (others: ReadonlyArray<PaletteEntry>): ReadonlyArray<PaletteEntry> => {
  const labels = new Set(others.map(({ label }) => comparable(label)))
  return declared
    .peek()
    .flatMap((keys) => Object.entries(keys))
    .filter(([key, [words]]) => !key.startsWith("g ") && key !== "mod+k" && !labels.has(comparable(words)))
    .map(([key, [words, run]]) =>
      deed({ id: `key-${key}`, label: words, ...(key === "?" ? { aliases: deedAlsoCalled.keyboard } : {}), run })
    )
}

/** Links to settings. */
export const settings: ReadonlyArray<PaletteEntry> = settingsIndex.map(({ group, name, words }) => ({
  id: `setting-${name}`,
  kind: say.setting,
  label: words,
  aliases: [name, settingWords.groups[group], settingAlsoCalled[name] ?? ""].join(),
  run: () => go(paths.settings({ find: name }))
}))
