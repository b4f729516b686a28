import { computed, signal, useSignal } from "@preact/signals"
import { useId, useLayoutEffect, useMemo } from "preact/hooks"
import { environment, go, here, paths } from "../address/here.ts"
import { across } from "../address/paths.ts"
import { declared, useKeys } from "../keys/useKeys.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { useQuery } from "../query/useQuery.ts"
import { may } from "../session/may.ts"
import { screenAlsoCalled } from "../words/alsoCalled.ts"
import { say } from "../words/say.ts"
import { matchingEntries, type SearchEntry, leadSearch, parseSearch, substringRank } from "./searchDialog.ts"
import { operator, ownMenu } from "./menu.ts"
import { type FoundPerson, isCertain, labelOfPerson, peopleSearch } from "./peopleSearch.ts"
import { useFoundPeople } from "./useFoundPeople.ts"

/** The text that the palette opens with. Null while it is closed. */
const opened = signal<string | null>(null)
export const openPalette = (text = ""): void => void (opened.value = text)

/** Pages, actions of the current screen, and the other environment. */
const fixedEntries = (): ReadonlyArray<SearchEntry> => [
  ...[...ownMenu().flatMap(({ entries }) => entries), operator].map(
    ({ route }): SearchEntry => ({
      id: route,
      kind: say.palette.screen,
      label: say.menu[route],
      aliases: `${route} ${screenAlsoCalled[route] ?? ""}`,
      run: () => go((paths[route] as () => string)())
    })
  ),
  ...declared
    .peek()
    .flatMap((keyActions) => Object.entries(keyActions))
    .filter(([key]) => !key.startsWith("g ") && key !== "mod+k")
    .map(([key, [words, run]]): SearchEntry => ({ id: `key-${key}`, kind: say.palette.deed, label: words, run })),
  {
    id: "environment",
    kind: say.palette.deed,
    label: environment.peek() === "live" ? say.palette.toTest : say.palette.toLive,
    aliases: "live test",
    run: () => go(across(here.peek(), environment.peek() === "live" ? "test" : "live"))
  }
]

/** Links to settings, from the first opening of the palette on. No screen needs their words before. */
const settingEntries = signal<ReadonlyArray<SearchEntry>>([])
const loadSettingEntries = (): void => {
  // Without them, the palette still finds all else.
  import("./settingEntries.ts").then(
    (loaded) => void (settingEntries.value = loaded.settingEntries),
    () => {}
  )
}

/** The search dialog: a combobox with a list, driven by the arrow keys. */
function Finder({ onClose, text }: { readonly onClose: () => void; readonly text: string }) {
  useLayoutEffect(loadSettingEntries, [])
  const typed = useSignal(text)
  const selectedIndex = useSignal(0)
  const list = useId()
  const parsedSearch = useMemo(() => computed(() => parseSearch(typed.value)), [])
  const leads = useQuery("GET /v1/dashboard/leads", () => {
    if (parsedSearch.value === null || parsedSearch.value.kind === "requestId") return null
    const search = leadSearch(parsedSearch.value.text, may.work !== undefined)
    return search === null ? null : { query: { search } }
  })
  const { people, search: searched } = useFoundPeople(typed)
  const alwaysListed = useMemo(fixedEntries, [])
  const entries = useMemo(
    () =>
      computed((): ReadonlyArray<SearchEntry> => {
        const query = parsedSearch.value
        const verifications: ReadonlyArray<SearchEntry> =
          query === null || query.kind === "words"
            ? []
            : [
                {
                  id: "verification",
                  kind: say.menu.verifications,
                  label: query.text,
                  run: () =>
                    go(
                      query.kind === "requestId"
                        ? paths.verification({ requestId: query.text })
                        : paths.verifications({ find: query.text, as: "identity" })
                    )
                }
              ]
        // Hits for an earlier text are no hits for this one.
        const found = searched.value === peopleSearch(typed.value) ? (people.answer.value?.items ?? []) : []
        const personEntry = (person: FoundPerson): SearchEntry => ({
          id: `person-${person.person}`,
          kind: say.palette.person,
          label: labelOfPerson(person),
          run: () => go(paths.person({ id: person.person }))
        })
        const leadItems = query === null ? [] : (leads.answer.value?.items ?? []).slice(0, 6)
        return [
          ...found.filter(isCertain).map(personEntry),
          ...matchingEntries(alwaysListed, typed.value),
          ...(query === null ? [] : matchingEntries(settingEntries.value, typed.value, 6, substringRank)),
          ...verifications,
          ...leadItems.map(
            ({ contact, id, name }): SearchEntry => ({
              id: `lead-${id}`,
              kind: say.palette.lead,
              label: name ?? contact,
              run: () => go(paths.lead({ id }))
            })
          ),
          ...found.filter((person) => !isCertain(person)).map(personEntry)
        ]
      }),
    []
  )
  const visibleEntries = entries.value
  const activeIndex = Math.min(selectedIndex.value, Math.max(0, visibleEntries.length - 1))
  const open = (entry: SearchEntry | undefined) => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  const keyHandlers: { readonly [key: string]: () => void } = {
    ArrowDown: () => (selectedIndex.value = (activeIndex + 1) % Math.max(1, visibleEntries.length)),
    ArrowUp: () =>
      (selectedIndex.value = (activeIndex - 1 + visibleEntries.length) % Math.max(1, visibleEntries.length)),
    Enter: () => open(visibleEntries[activeIndex])
  }
  return (
    <Dialog title={say.shell.find} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={say.shell.palette}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={visibleEntries.length === 0 ? undefined : `${list}-${activeIndex}`}
        autocomplete="off"
        spellcheck={false}
        placeholder={say.shell.palette}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          selectedIndex.value = 0
        }}
        onKeyDown={(event) => {
          const handleKey = event.isComposing ? undefined : keyHandlers[event.key]
          if (handleKey === undefined) return
          event.preventDefault()
          handleKey()
        }}
      />
      <ul role="listbox" id={list} class="palette" aria-label={say.shell.find}>
        {visibleEntries.map((entry, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the focus and its keys
          <li
            key={entry.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === activeIndex}
            onPointerMove={() => (selectedIndex.value = index)}
            onClick={() => open(entry)}
          >
            <span class="theirs">{entry.label}</span>
            <span class="quiet">{entry.kind}</span>
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {people.busy.value
          ? `${say.loading}…`
          : (people.failure.value?.message ?? (visibleEntries.length === 0 ? say.shell.nothingFound : ""))}
      </p>
    </Dialog>
  )
}

export function Palette() {
  useKeys({ "mod+k": [say.shell.find, openPalette] })
  return opened.value === null ? null : <Finder text={opened.value} onClose={() => (opened.value = null)} />
}
