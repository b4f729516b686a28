import { computed, signal, useSignal } from "@preact/signals"
import { useId, useMemo } from "preact/hooks"
import { environment, go, here, paths } from "../address/here.ts"
import { across } from "../address/paths.ts"
import { declared, useKeys } from "../keys/useKeys.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { useQuery } from "../query/useQuery.ts"
import { may } from "../session/may.ts"
import { screenAlsoCalled, settingAlsoCalled } from "../words/alsoCalled.ts"
import { settingsIndex, settingWords } from "../words/settingsIndex.ts"
import { say } from "../words/say.ts"
import { fitting, type Goal, leadSearch, lookedFor, whole } from "./searchDialog.ts"
import { menu, operator } from "./menu.ts"

const isOpen = signal(false)
export const openPalette = (): void => void (isOpen.value = true)

/** Pages, actions of the current screen, and the other environment. */
const fixed = (): ReadonlyArray<Goal> => [
  ...[...menu.flatMap(({ entries }) => entries), operator].map(
    ({ route }): Goal => ({
      id: route,
      kind: say.palette.screen,
      words: say.menu[route],
      also: `${route} ${screenAlsoCalled[route] ?? ""}`,
      run: () => go((paths[route] as () => string)())
    })
  ),
  ...declared
    .peek()
    .flatMap((each) => Object.entries(each))
    .filter(([key]) => !key.startsWith("g ") && key !== "mod+k")
    .map(([key, [words, run]]): Goal => ({ id: `key-${key}`, kind: say.palette.deed, words, run })),
  {
    id: "environment",
    kind: say.palette.deed,
    words: environment.peek() === "live" ? say.palette.toTest : say.palette.toLive,
    also: "live test",
    run: () => go(across(here.peek(), environment.peek() === "live" ? "test" : "live"))
  }
]

/** Links to settings. They appear only for a search. */
const settings: ReadonlyArray<Goal> = settingsIndex.map(({ group, name, words }) => ({
  id: `setting-${name}`,
  kind: say.palette.setting,
  words,
  also: `${name} ${settingWords.groups[group]} ${settingAlsoCalled[name] ?? ""}`,
  run: () => go(paths.settings({ find: name }))
}))

/** The search dialog: a combobox with a list, driven by the arrow keys. */
function Finder({ onClose }: { readonly onClose: () => void }) {
  const typed = useSignal("")
  const chosen = useSignal(0)
  const list = useId()
  const looked = useMemo(() => computed(() => lookedFor(typed.value)), [])
  const leads = useQuery("GET /v1/dashboard/leads", () => {
    if (looked.value === null || looked.value.kind === "requestId") return null
    const search = leadSearch(looked.value.text, may.work !== undefined)
    return search === null ? null : { query: { search } }
  })
  const always = useMemo(fixed, [])
  const goals = useMemo(
    () =>
      computed((): ReadonlyArray<Goal> => {
        const wanted = looked.value
        const verifications: ReadonlyArray<Goal> =
          wanted === null || wanted.kind === "words"
            ? []
            : [
                {
                  id: "verification",
                  kind: say.menu.verifications,
                  words: wanted.text,
                  run: () =>
                    go(
                      wanted.kind === "requestId"
                        ? paths.verification({ requestId: wanted.text })
                        : paths.verifications({ find: wanted.text, as: "identity" })
                    )
                }
              ]
        const found = wanted === null ? [] : (leads.answer.value?.items ?? []).slice(0, 6)
        return [
          ...fitting(always, typed.value),
          ...(wanted === null ? [] : fitting(settings, typed.value, 6, whole)),
          ...verifications,
          ...found.map(
            ({ contact, id, name }): Goal => ({
              id: `lead-${id}`,
              kind: say.palette.lead,
              words: name ?? contact,
              run: () => go(paths.lead({ id }))
            })
          )
        ]
      }),
    []
  )
  const shown = goals.value
  const at = Math.min(chosen.value, Math.max(0, shown.length - 1))
  const run = (goal: Goal | undefined) => {
    if (goal === undefined) return
    onClose()
    goal.run()
  }
  const steps: { readonly [key: string]: () => void } = {
    ArrowDown: () => (chosen.value = (at + 1) % Math.max(1, shown.length)),
    ArrowUp: () => (chosen.value = (at - 1 + shown.length) % Math.max(1, shown.length)),
    Enter: () => run(shown[at])
  }
  return (
    <Dialog title={say.shell.find} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={say.shell.palette}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={shown.length === 0 ? undefined : `${list}-${at}`}
        autocomplete="off"
        spellcheck={false}
        placeholder={say.shell.palette}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          chosen.value = 0
        }}
        onKeyDown={(event) => {
          const step = event.isComposing ? undefined : steps[event.key]
          if (step === undefined) return
          event.preventDefault()
          step()
        }}
      />
      <ul role="listbox" id={list} class="palette" aria-label={say.shell.find}>
        {shown.map((goal, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the focus and its keys
          <li
            key={goal.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            onPointerMove={() => (chosen.value = index)}
            onClick={() => run(goal)}
          >
            <span class="theirs">{goal.words}</span>
            <span class="quiet">{goal.kind}</span>
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {shown.length === 0 ? say.shell.nothingFound : ""}
      </p>
    </Dialog>
  )
}

export function Palette() {
  useKeys({ "mod+k": [say.shell.find, openPalette] })
  return isOpen.value ? <Finder onClose={() => (isOpen.value = false)} /> : null
}
