import { computed, type ReadonlySignal, useSignal } from "@preact/signals"
import { useId, useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { go, paths } from "../address/here.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { tell } from "../parts/Toast.tsx"
import { useQuery } from "../query/useQuery.ts"
import { may } from "../session/may.ts"
import { say as shared } from "../words/say.ts"
import { deeds, pages, settings, shortcuts } from "./deeds.ts"
import { say } from "./paletteWords.ts"
import { type FoundPerson, isCertain, labelOfPerson, peopleSearch } from "./peopleSearch.ts"
import { type Hit, listedFor, type PaletteEntry } from "./rank.ts"
import { leadSearch, type ParsedSearch, parseSearch } from "./searchDialog.ts"
import { useFoundPeople } from "./useFoundPeople.ts"
import { useRecents } from "./useRecents.ts"

/** A typed number, address or id leads to the list or the verification, whether the service knows it or not. */
const verificationOf = (query: ParsedSearch | null): ReadonlyArray<Hit> =>
  query === null || query.kind === "words"
    ? []
    : [
        {
          isCertain: query.kind === "requestId",
          isFresh: true,
          entry: {
            id: "verification",
            kind: shared.menu.verifications,
            label: query.text,
            run: () =>
              go(
                query.kind === "requestId"
                  ? paths.verification({ requestId: query.text })
                  : paths.verifications({ find: query.text, as: "identity" })
              )
          }
        }
      ]

const personEntry = (person: FoundPerson): PaletteEntry => ({
  id: `person-${person.person}`,
  kind: say.kinds.person,
  label: labelOfPerson(person),
  run: () => go(paths.person({ id: person.person }))
})

const mostLeads = 6

/** The entries of the palette: hits for the typed text, or recent items and actions before anything is typed. */
const useEntries = (typed: ReadonlySignal<string>) => {
  const { people, search } = useFoundPeople(typed)
  const leads = useQuery("GET /v1/dashboard/leads", () => {
    const query = parseSearch(search.value ?? "")
    if (query === null || query.kind === "requestId") return null
    const text = leadSearch(query.text, may.work !== undefined)
    return text === null ? null : { query: { search: text } }
  })
  const recents = useRecents()
  const fixed = useMemo(() => {
    const [actions, screens] = [deeds(), pages()]
    const others = [...actions, ...screens]
    return { actions, always: [...others, ...shortcuts(others)] }
  }, [])
  const entries = useMemo(
    () =>
      computed((): ReadonlyArray<PaletteEntry> => {
        if (typed.value.trim() === "")
          return [...recents.value, ...fixed.actions.filter(({ blocked }) => blocked === undefined)]
        const isFresh = search.value === peopleSearch(typed.value)
        const query = parseSearch(typed.value)
        return listedFor(typed.value, {
          always: fixed.always,
          settings,
          hits: [
            ...verificationOf(query),
            ...(people.answer.value?.items ?? []).map((person) => ({
              entry: personEntry(person),
              isCertain: isCertain(person),
              isFresh: isFresh && !people.busy.value
            })),
            ...(leads.answer.value?.items ?? []).slice(0, mostLeads).map(({ contact, id, name }) => ({
              entry: {
                id: `lead-${id}`,
                kind: say.kinds.lead,
                label: name ?? contact,
                run: () => go(paths.lead({ id }))
              },
              isCertain: false,
              isFresh: isFresh && !leads.busy.value
            }))
          ]
        })
      }),
    []
  )
  return { entries, people }
}

interface Props {
  readonly text: string
  readonly onClose: () => void
}

/** The search dialog: a combobox with a list, driven by the arrow keys. */
export function Finder({ onClose, text }: Props) {
  const typed = useSignal(text)
  /** The entry that the user moved to. Hits that arrive later do not change it. */
  const chosen = useSignal<string | null>(null)
  const list = useId()
  const options = useRef<HTMLUListElement>(null)
  const { entries, people } = useEntries(typed)
  const shown = entries.value
  const active = Math.max(
    0,
    shown.findIndex(({ id }) => id === chosen.value)
  )
  useLayoutEffect(() => {
    options.current?.children[active]?.scrollIntoView({ block: "nearest" })
  }, [active, chosen.value])
  const open = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return
    if (entry.blocked !== undefined) return tell(entry.blocked, { tone: "bad" })
    onClose()
    entry.run()
  }
  const move = (by: 1 | -1) => {
    chosen.value = shown[(active + by + shown.length) % Math.max(1, shown.length)]?.id ?? null
  }
  const keyHandlers: { readonly [key: string]: () => void } = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => open(shown[active])
  }
  return (
    <Dialog title={shared.shell.find} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={shared.shell.palette}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={shown.length === 0 ? undefined : `${list}-${active}`}
        autocomplete="off"
        autocapitalize="none"
        enterkeyhint="go"
        spellcheck={false}
        placeholder={shared.shell.palette}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          chosen.value = null
        }}
        onKeyDown={(event) => {
          const handleKey = event.isComposing ? undefined : keyHandlers[event.key]
          if (handleKey === undefined) return
          event.preventDefault()
          handleKey()
        }}
      />
      <ul ref={options} role="listbox" id={list} class="palette" aria-label={shared.shell.find}>
        {shown.map((entry, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the focus and its keys
          <li
            key={entry.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            aria-disabled={entry.blocked !== undefined || undefined}
            onPointerMove={() => (chosen.value = entry.id)}
            onClick={() => open(entry)}
          >
            <span class="theirs">{entry.label}</span>
            <span class="quiet">{entry.blocked ?? entry.kind}</span>
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {people.busy.value
          ? `${shared.loading}…`
          : (people.failure.value?.message ?? (shown.length === 0 ? shared.shell.nothingFound : ""))}
      </p>
    </Dialog>
  )
}
